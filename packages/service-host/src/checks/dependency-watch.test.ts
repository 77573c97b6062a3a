import { once } from "node:events";
import { describe, expect, it } from "vitest";
import { DependencyWatch } from "./dependency-watch.ts";

/** A dependency that tells of each look at it. */
class SeenDependency extends EventTarget {
  looks = 0;

  readonly check = async (): Promise<void> => {
    this.looks += 1;
    this.dispatchEvent(new Event("look"));
  };

  next(): Promise<unknown> {
    return once(this, "look");
  }
}

const hourMs = 3_600_000;

describe("a watch over dependencies", () => {
  it("looks again and again while what it finds is read", async () => {
    const dependency = new SeenDependency();
    const watch = new DependencyWatch(
      { dependency: dependency.check },
      { timeoutMs: 1_000, everyMs: 1, restMs: hourMs },
    );
    for (let look = 0; look < 3; look += 1) await dependency.next();
    watch.close();
    expect(watch.reports()["dependency"]?.ok).toBe(true);
  });

  it("rests when its reports are not read, and looks at once when it is read again", async () => {
    const dependency = new SeenDependency();
    const pauses = { everyMs: hourMs, restMs: hourMs, readerMs: -1 };
    const watch = new DependencyWatch({ dependency: dependency.check }, { timeoutMs: 1_000, ...pauses });
    // The first look is over.
    await new Promise(setImmediate);
    expect(dependency.looks).toBe(1);
    const next = dependency.next();
    watch.reports();
    await next;
    watch.close();
    expect(dependency.looks).toBe(2);
  });
});

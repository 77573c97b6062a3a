import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";
import { SourceCounter } from "./source-counter.ts";

setFlagsFromString("--expose-gc");
const collectGarbage: () => void = runInNewContext("gc");

function memoryInUse(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed;
}

describe("counting by source", () => {
  it("counts each by itself, from its first", async () => {
    const counter = new SourceCounter({ seconds: 60, sources: 10 });
    await counter.add("a");
    expect(await counter.add("a")).toMatchObject({ times: 2 });
    expect(await counter.read("b")).toEqual({ times: 0, resetMs: 0 });
    expect((await counter.read("a")).resetMs).toBeGreaterThan(50_000);
  });

  it("forgets the one that was quiet longest when there are too many", async () => {
    const counter = new SourceCounter({ seconds: 60, sources: 2 });
    for (const source of ["a", "b", "a", "c"]) await counter.add(source);
    const counted = await Promise.all(["a", "b", "c"].map((source) => counter.read(source)));
    expect(counted.map(({ times }) => times)).toEqual([2, 0, 1]);
  });

  it("takes no more memory for a million addresses than for those it keeps", async () => {
    const counter = new SourceCounter({ seconds: 60, sources: 1_000 });
    for (let i = 0; i < 1_000; i += 1) await counter.add(`source ${i}`);
    const before = memoryInUse();
    for (let i = 0; i < 1_000_000; i += 1) await counter.add(`address ${i}`);
    // A million counts with their timers would be hundreds of megabytes.
    expect(memoryInUse() - before).toBeLessThan(10 * 2 ** 20);
    expect(await counter.read("address 999999")).toMatchObject({ times: 1 });
  });
});

import { describe, expect, it } from "vitest";
import { WorkQueue } from "./work-queue.ts";

const queueOf = (o: Partial<ConstructorParameters<typeof WorkQueue>[0]> = {}) =>
  new WorkQueue({ concurrency: 1, waiting: 1, timeoutMs: 60_000, ...o }, () => new Date());
const kindOf = (work: Promise<unknown>) =>
  work.then(
    () => "done",
    (error) => error.kind,
  );

describe("a work queue", () => {
  it("hands a place to the caller that has waited longest", async () => {
    const queue = queueOf({ waiting: 2 });
    const first = Promise.withResolvers<string>();
    const order: string[] = [];
    const all = [
      queue.run(() => first.promise),
      queue.run(async () => void order.push("second")),
      queue.run(async () => void order.push("third")),
    ];
    expect(queue.inFlight).toBe(3);
    first.resolve("first");
    await Promise.all(all);
    expect({ order, inFlight: queue.inFlight }).toEqual({ order: ["second", "third"], inFlight: 0 });
  });

  it("refuses what finds no place to wait", async () => {
    const queue = queueOf();
    const first = Promise.withResolvers<void>();
    const [working, waiting] = [queue.run(() => first.promise), queue.run(async () => {})];
    expect(await kindOf(queue.run(async () => {}))).toBe("too_many");
    first.resolve();
    await Promise.all([working, waiting]);
  });

  it("gives up work at its time limit, and a wait at half of it", async () => {
    const queue = queueOf({ timeoutMs: 200 });
    const never = new Promise<void>(() => {});
    const signals: AbortSignal[] = [];
    const working = kindOf(
      queue.run((signal) => {
        signals.push(signal);
        return never;
      }),
    );
    const waiting = kindOf(queue.run(() => never));
    expect(await waiting).toBe("waited_too_long");
    expect(signals[0]?.aborted).toBe(false);
    expect(await working).toBe("time_limit");
    expect({ aborted: signals[0]?.aborted, inFlight: queue.inFlight }).toEqual({ aborted: true, inFlight: 0 });
  });

  it("frees the place of work that fails, and of who leaves", async () => {
    const queue = queueOf();
    await expect(queue.run(() => Promise.reject(new Error("no")))).rejects.toThrow("no");
    const leaving = new AbortController();
    const left = kindOf(queue.run(() => new Promise(() => {}), leaving.signal));
    leaving.abort();
    expect(await left).toBe("time_limit");
    expect(await queue.run(async () => "free")).toBe("free");
  });
});

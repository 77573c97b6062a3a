import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { pauseAfter, startWorker, type WorkerPlatform } from "./worker.ts";

const hourMs = 3_600_000;

interface Line {
  worker: string;
  attempt: number;
}

/** A logger that keeps what it is given. */
function logTo(lines: Line[]): WorkerPlatform {
  return { logger: { warn: (line: Line) => void lines.push(line) } as unknown as WorkerPlatform["logger"] };
}

/** Rounds that a test answers one by one. */
class Rounds {
  readonly begun: PromiseWithResolvers<unknown>[] = [];
  #next = Promise.withResolvers<void>();

  readonly round = (): Promise<unknown> => {
    const answer = Promise.withResolvers<unknown>();
    this.begun.push(answer);
    this.#next.resolve();
    this.#next = Promise.withResolvers();
    return answer.promise;
  };

  /** Resolves once so many rounds have begun. */
  async reach(count: number): Promise<void> {
    while (this.begun.length < count) await this.#next.promise;
  }
}

describe("a worker between two rounds", () => {
  it("begins the next one at once when more may be due, and after the pause when not", async () => {
    const rounds = new Rounds();
    await using worker = startWorker(logTo([]), { name: "w", pauseMs: hourMs, round: rounds.round });
    await rounds.reach(1);
    rounds.begun[0]?.resolve(true);
    await rounds.reach(2);
    rounds.begun[1]?.resolve(undefined);
    await delay(50);
    expect(rounds.begun).toHaveLength(2);
    worker.wake();
    await rounds.reach(3);
    rounds.begun[2]?.resolve(false);
  });

  it("does not lose a wake that comes during a round", async () => {
    const rounds = new Rounds();
    await using worker = startWorker(logTo([]), { name: "w", pauseMs: hourMs, round: rounds.round });
    await rounds.reach(1);
    worker.wake();
    rounds.begun[0]?.resolve(false);
    await rounds.reach(2);
    rounds.begun[1]?.resolve(false);
  });

  it("runs one round at a time, however often it is signalled", async () => {
    const rounds = new Rounds();
    await using worker = startWorker(logTo([]), { name: "w", pauseMs: 1, round: rounds.round });
    await rounds.reach(1);
    for (let count = 0; count < 100; count += 1) worker.wake();
    await delay(20);
    expect(rounds.begun).toHaveLength(1);
    rounds.begun[0]?.resolve(false);
    await rounds.reach(2);
    rounds.begun[1]?.resolve(false);
  });
});

describe("a worker that is told when something will be due", () => {
  it("begins a round then, at the earliest of the times", async () => {
    const rounds = new Rounds();
    await using worker = startWorker(logTo([]), { name: "w", pauseMs: hourMs, round: rounds.round });
    await rounds.reach(1);
    rounds.begun[0]?.resolve(false);
    const told = performance.now();
    worker.wakeWithin(hourMs / 2);
    worker.wakeWithin(40);
    worker.wakeWithin(hourMs / 2);
    await rounds.reach(2);
    expect(performance.now() - told).toBeGreaterThanOrEqual(39);
    rounds.begun[1]?.resolve(false);
  });

  it("does not wait longer for it than its pause is", async () => {
    const rounds = new Rounds();
    await using worker = startWorker(logTo([]), { name: "w", pauseMs: 1, maxPauseMs: 5, round: rounds.round });
    await rounds.reach(1);
    worker.wakeWithin(hourMs);
    rounds.begun[0]?.resolve(false);
    await rounds.reach(2);
    rounds.begun[1]?.resolve(false);
  });

  it("is not kept alive by it once it has ended", async () => {
    const timers = () => process.getActiveResourcesInfo().filter((each) => each === "Timeout").length;
    const rounds = new Rounds();
    const before = timers();
    const worker = startWorker(logTo([]), { name: "w", pauseMs: hourMs, round: rounds.round });
    await rounds.reach(1);
    worker.wakeWithin(hourMs / 2);
    rounds.begun[0]?.resolve(false);
    await worker[Symbol.asyncDispose]();
    worker.wakeWithin(hourMs / 2);
    expect(timers()).toBeLessThanOrEqual(before);
  });
});

describe("a worker that finds nothing", () => {
  const pauses = { pauseMs: 1_000, maxPauseMs: 5_000 };
  const pausesWhile = (turns: boolean[], of: { pauseMs: number; maxPauseMs?: number }) => {
    let pausedMs = of.pauseMs;
    return turns.map((wasIdle) => (pausedMs = pauseAfter(of, { pausedMs, wasIdle })));
  };

  it("pauses longer after each round, up to the longest pause, and as at first after work or a wake", () => {
    expect(pausesWhile([true, true, true, true], pauses)).toEqual([2_000, 4_000, 5_000, 5_000]);
    expect(pausesWhile([true, true, false, true], pauses)).toEqual([2_000, 4_000, 1_000, 2_000]);
  });

  it("keeps its pause where no longer one is allowed", () => {
    expect(pausesWhile([true, true], { pauseMs: 1_000 })).toEqual([1_000, 1_000]);
  });

  it("keeps its pace while it has something in hand, or fails", async () => {
    for (const how of [{ isIdle: () => false }, { fails: true }]) {
      let rounds = 0;
      const reached = Promise.withResolvers<void>();
      const round = async () => {
        rounds += 1;
        if (rounds === 20) reached.resolve();
        if ("fails" in how) throw new Error("the store is away");
      };
      // With pauses that doubled, twenty rounds would take longer than any test.
      await using _ = startWorker(logTo([]), { name: "w", pauseMs: 1, maxPauseMs: hourMs, ...how, round });
      await reached.promise;
    }
  });
});

describe("a worker whose rounds fail", () => {
  it("goes on after the pause, and logs the first failure and no flood of others", async () => {
    const lines: Line[] = [];
    let rounds = 0;
    const over = Promise.withResolvers<void>();
    const round = async () => {
      rounds += 1;
      if (rounds === 50) over.resolve();
      throw new Error("the store is away");
    };
    await using _ = startWorker(logTo(lines), { name: "w", pauseMs: 1, round });
    await over.promise;
    expect(lines).toEqual([expect.objectContaining({ worker: "w", attempt: 1 })]);
  });

  it("logs again when it fails after a round that worked", async () => {
    const lines: Line[] = [];
    let rounds = 0;
    const over = Promise.withResolvers<void>();
    const round = async () => {
      rounds += 1;
      if (rounds === 4) over.resolve();
      if (rounds % 2 === 1) throw new Error("now and then");
    };
    await using _ = startWorker(logTo(lines), { name: "w", pauseMs: 1, round });
    await over.promise;
    expect(lines.map(({ attempt }) => attempt)).toEqual([1, 1]);
  });
});

describe("a worker that ends", () => {
  it("tells the round under way, waits for it, and begins no other", async () => {
    const begun = Promise.withResolvers<AbortSignal>();
    const finish = Promise.withResolvers<void>();
    let rounds = 0;
    const worker = startWorker(logTo([]), {
      name: "w",
      pauseMs: 1,
      round: async (signal) => {
        rounds += 1;
        begun.resolve(signal);
        await finish.promise;
        return true;
      },
    });
    const signal = await begun.promise;
    let isOver = false;
    const ended = worker[Symbol.asyncDispose]().then(() => {
      isOver = true;
    });
    expect(signal.aborted).toBe(true);
    await delay(20);
    expect(isOver).toBe(false);
    finish.resolve();
    await ended;
    expect(rounds).toBe(1);
  });

  it("does not wait for its pause", async () => {
    const rounds = new Rounds();
    const worker = startWorker(logTo([]), { name: "w", pauseMs: hourMs, round: rounds.round });
    await rounds.reach(1);
    rounds.begun[0]?.resolve(false);
    await worker[Symbol.asyncDispose]();
    expect(rounds.begun).toHaveLength(1);
  });

  it("ends by its signal too, in the middle of a pause", async () => {
    const draining = new AbortController();
    const rounds = new Rounds();
    const options = { name: "w", pauseMs: hourMs, round: rounds.round, signal: draining.signal };
    const worker = startWorker(logTo([]), options);
    await rounds.reach(1);
    rounds.begun[0]?.resolve(false);
    draining.abort();
    worker.wake();
    await worker[Symbol.asyncDispose]();
    expect(rounds.begun).toHaveLength(1);
  });
});

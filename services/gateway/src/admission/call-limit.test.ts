import { describe, expect, it } from "vitest";
import { baselineAfter, CallLimit, type CallLimits, limitAfter } from "./call-limit.ts";

const limits: CallLimits = { initial: 64, min: 8, max: 128, slackMs: 100 };

describe("the limit after a window of calls", () => {
  it.each([
    ["stays where it began while little is asked for", 64, { peak: 3, ratio: 0.1 }, 64],
    ["grows back to where it began without being used up", 20, { peak: 3, ratio: 0.1 }, 22],
    ["grows beyond it while it is used up and calls are in time", 64, { peak: 60, ratio: 1 }, 70.4],
    ["grows no further than the most", 125, { peak: 125, ratio: 0.5 }, 128],
    ["stays above its beginning when less is asked for", 100, { peak: 10, ratio: 0.5 }, 100],
    ["falls as much as calls took too long", 64, { peak: 64, ratio: 1.25 }, 51.2],
    ["falls by half at most", 64, { peak: 64, ratio: 50 }, 32],
    ["falls no further than the least", 10, { peak: 10, ratio: 50 }, 8],
    ["falls from what was under way where that was less", 64, { peak: 40, ratio: 1.25 }, 32],
    ["stays where few calls are slow: another reason than their number", 64, { peak: 8, ratio: 50 }, 64],
  ])("%s", (_, limit, window, next) => {
    expect(limitAfter(limit, window, limits)).toBeCloseTo(next);
  });
});

describe("the baseline of an operation", () => {
  it.each([
    ["is the first one's", undefined, 20, 20],
    ["goes quickly towards quicker ones", 20, 1, 18],
    ["goes slowly towards slower ones", 20, 10_000, 20.4],
    ["passes none of them by", 20, 20.1, 20.1],
    ["has a bound, so that a store that hangs does not become the baseline", 1_000, 10_000, 1_000],
    ["has that bound from the first on", undefined, 10_000, 1_000],
  ])("%s", (_, baseline, ms, next) => {
    expect(baselineAfter(baseline, ms)).toBeCloseTo(next);
  });
});

/** A service that is asked by as many callers as are let in, one call after the other, and the waits of those it has done. */
class SlowService {
  now = 0;
  readonly limit = new CallLimit(limits, () => this.now);
  readonly #queue: { end: () => void; at: number }[] = [];

  /** Does `perMs` calls a millisecond. */
  run({ seconds, perMs }: { seconds: number; perMs: number }): number[] {
    const waits: number[] = [];
    let capacity = 0;
    for (const until = this.now + seconds * 1_000; this.now < until; this.now += 1) {
      for (let end = this.#begin(); end; end = this.#begin()) this.#queue.push({ end, at: this.now });
      for (capacity += perMs; capacity >= 1; capacity -= 1) {
        const first = this.#queue.shift();
        if (!first) break;
        waits.push(this.now - first.at);
        first.end();
      }
    }
    return waits;
  }

  #begin = () => this.limit.begin("o", { operation: "op" });
}

describe("a service that is asked for more than it can do", () => {
  it("is sent as much as it does in time, and more again when it is quicker", () => {
    const service = new SlowService();
    service.run({ seconds: 10, perMs: 0.2 });
    const waits = service.run({ seconds: 10, perMs: 0.2 });
    expect(waits.length).toBeGreaterThan(0.99 * 0.2 * 10_000);
    expect(Math.max(...waits)).toBeLessThan(2 * limits.slackMs);
    expect(service.limit.limit).toBeLessThan(40);
    service.run({ seconds: 5, perMs: 1 });
    expect(service.limit.limit).toBeGreaterThan(64);
  });

  it("is left with the fewest calls while it does not answer in time, and has more again within seconds", () => {
    const service = new SlowService();
    service.run({ seconds: 60, perMs: 0.01 });
    expect(service.limit.limit).toBe(limits.min);
    service.run({ seconds: 5, perMs: 1 });
    expect(service.limit.limit).toBeGreaterThan(32);
  });

  it("is not held for slow because its callers take long to send their requests", () => {
    let now = 0;
    const limit = new CallLimit(limits, () => now);
    for (let turn = 0; turn < 20; turn += 1) {
      const arrivedAt = () => (turn % 2 === 0 ? now : undefined);
      const ends = Array.from({ length: 64 }, () => limit.begin("o", { operation: "op", arrivedAt }));
      now += 10_000;
      for (const end of ends) end?.();
    }
    expect(limit.limit).toBeGreaterThanOrEqual(limits.initial);
  });

  it("lets a second burst in after the first has drained, although its calls were slow", () => {
    let now = 0;
    const limit = new CallLimit(limits, () => now);
    const burst = () => Array.from({ length: 50 }, () => limit.begin("o", { operation: "op" }));
    for (const end of burst()) {
      now += 100;
      end?.();
    }
    expect(burst().every((end) => end !== undefined)).toBe(true);
  });

  it("keeps a permit for an organisation that asks for little", () => {
    const limit = new CallLimit(limits);
    while (limit.begin("noisy", { operation: "op" }));
    expect(limit.begin("quiet", { operation: "op" })).toBeDefined();
    expect(limit.inFlight).toBe(65);
  });
});

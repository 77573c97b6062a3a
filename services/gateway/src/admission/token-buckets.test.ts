import { describe, expect, it } from "vitest";
import { TokenBuckets } from "./token-buckets.ts";

describe("the rate of an organisation", () => {
  it("is used up by a second's requests at once, and comes back evenly", () => {
    let now = 0;
    const rate = new TokenBuckets(4, () => now);
    const isTaken = () => rate.take("a") !== undefined;
    expect([isTaken(), isTaken(), isTaken(), isTaken(), isTaken()]).toEqual([true, true, true, true, false]);
    expect(rate.isAnyExhausted).toBe(true);
    expect(rate.read("a")).toEqual({ remaining: 0, resetMs: 1_000 });
    expect(rate.read("b")).toEqual({ remaining: 4, resetMs: 0 });
    now = 250;
    expect([isTaken(), isTaken()]).toEqual([true, false]);
    now = 2_000;
    expect(rate.isAnyExhausted).toBe(false);
    expect(rate.read("a")).toEqual({ remaining: 4, resetMs: 0 });
  });

  it("lets in one that asks for far more one request after the other, not a second's worth together", () => {
    let now = 0;
    const rate = new TokenBuckets(25, () => now);
    const takenAt: number[] = [];
    for (; now < 5_000; now += 2) if (rate.take("noisy")) takenAt.push(now);
    const later = takenAt.filter((at) => at >= 1_000);
    expect(later.length).toBeCloseTo(100, -1);
    const gaps = later.slice(1).map((at, index) => at - (later[index] ?? 0));
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(38);
  });

  it("has back what is put back, and never more than it is", () => {
    const rate = new TokenBuckets(2, () => 0);
    const [first, second] = [rate.take("a"), rate.take("a")];
    first?.();
    expect(rate.read("a").remaining).toBe(1);
    second?.();
    second?.();
    expect(rate.read("a").remaining).toBe(2);
  });
});

import { describe, expect, it } from "vitest";
import { backoffMs, pause } from "./backoff.ts";

const bounds = { minMs: 100, maxMs: 1_000 };

describe("the pause before the next attempt", () => {
  it.each([
    ["no failure", 0, 0, 0],
    ["one failure", 1, 50, 100],
    ["two failures in a row", 2, 100, 200],
    ["four", 4, 400, 800],
    ["five, where the maximum holds", 5, 500, 1_000],
    ["more than a number can double", 5_000, 500, 1_000],
  ])("after %s lies between its half and its whole", (_situation, failures, min, max) => {
    expect(backoffMs(bounds, failures, () => 0)).toBe(min);
    expect(backoffMs(bounds, failures, () => 1)).toBe(max);
  });

  it("differs from replica to replica", () => {
    expect(new Set(Array.from({ length: 20 }, () => backoffMs(bounds, 3))).size).toBeGreaterThan(1);
  });
});

describe("a pause", () => {
  it("ends when its signal aborts", async () => {
    const over = new AbortController();
    const paused = pause(3_600_000, over.signal);
    over.abort();
    await expect(paused).resolves.toBeUndefined();
  });

  it("is none where the signal is aborted already", async () => {
    await expect(pause(3_600_000, AbortSignal.abort())).resolves.toBeUndefined();
  });
});

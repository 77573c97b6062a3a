import { describe, expect, it } from "vitest";
import { nextTry } from "./retry-pause.ts";

const plan = { retryMs: 30_000, giveUpMs: 900_000 };
const beganAt = new Date(0);
const pause = (attempts: number, nowMs = 0) =>
  nextTry(attempts, { now: new Date(nowMs), beganAt, plan, random: () => 1 }).getTime() - nowMs;

describe("the pause before the next try", () => {
  it("doubles, up to four minutes", () => {
    expect([1, 2, 3, 4, 5, 50].map((attempts) => pause(attempts))).toEqual([
      30_000, 60_000, 120_000, 240_000, 240_000, 240_000,
    ]);
  });

  it("never goes beyond the sending's end", () => {
    expect(pause(4, 800_000)).toBe(99_999);
    expect(pause(4, 950_000)).toBe(0);
  });
});

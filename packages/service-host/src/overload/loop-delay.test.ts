import { afterEach, describe, expect, it, vi } from "vitest";
import { isOverloaded, LoopDelay, lateAfter, onTime } from "./loop-delay.ts";

const targetMs = 100;
const intervalMs = 500;

/** Turns as `[when, how late]`, in milliseconds. */
function after(turns: readonly (readonly [number, number])[]): boolean {
  let lateness = onTime;
  for (const [now, delayMs] of turns) lateness = lateAfter(lateness, now, delayMs, targetMs);
  return isOverloaded(lateness, turns.at(-1)?.[0] ?? 0, intervalMs);
}

describe("whether an event loop is overloaded", () => {
  it.each([
    ["no: on time", [[1_000, 0]], false],
    ["no: as late as it may be, for long", Array.from({ length: 50 }, (_, turn) => [turn * 150, 100] as const), false],
    ["no: one pause, however long", [[5_000, 4_000]], false],
    [
      "no: late twice within the interval",
      [
        [1_000, 150],
        [1_200, 150],
      ],
      false,
    ],
    [
      "yes: late turn after turn for the interval",
      [
        [1_000, 150],
        [1_200, 150],
        [1_400, 150],
      ],
      true,
    ],
    [
      "no: two turns that last the interval",
      [
        [1_000, 450],
        [1_500, 450],
      ],
      false,
    ],
    [
      "no: on time in between",
      [
        [1_000, 450],
        [1_500, 450],
        [1_600, 50],
        [1_800, 150],
      ],
      false,
    ],
  ] as const)("%s", (_, turns, overloaded) => {
    expect(after(turns)).toBe(overloaded);
  });
});

describe("measuring the event loop", () => {
  let delay: LoopDelay | undefined;
  afterEach(() => delay?.close());

  function block(ms: number): void {
    const until = performance.now() + ms;
    while (performance.now() < until);
  }

  it("knows that it is overloaded while every turn is long, and that it is over after a short one", async () => {
    delay = new LoopDelay({ intervalMs: 200 });
    for (let turn = 0; turn < 9 && !delay.isOverloaded; turn += 1) {
      block(250);
      await new Promise((resolve) => setTimeout(resolve));
    }
    expect(delay.isOverloaded).toBe(true);
    while (delay.isOverloaded) await new Promise((resolve) => setTimeout(resolve, 10));
  });

  it("rests when it has not been asked for seconds, and measures again from the next question on", () => {
    vi.useFakeTimers();
    try {
      delay = new LoopDelay();
      vi.advanceTimersByTime(4_900);
      expect([delay.isMeasuring, delay.isOverloaded]).toEqual([true, false]);
      vi.advanceTimersByTime(4_900);
      expect(delay.isMeasuring).toBe(true);
      vi.advanceTimersByTime(200);
      expect([delay.isMeasuring, vi.getTimerCount()]).toEqual([false, 0]);
      expect([delay.isOverloaded, delay.isMeasuring]).toEqual([false, true]);
      delay.close();
      expect([delay.isOverloaded, vi.getTimerCount()]).toEqual([false, 0]);
    } finally {
      vi.useRealTimers();
    }
  });
});

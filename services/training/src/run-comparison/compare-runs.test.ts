import { describe, expect, it } from "vitest";
import { activeSeconds } from "./compare-runs.ts";

const at = (second: number) => new Date(second * 1_000);

describe("the seconds of a point", () => {
  const paused = [
    { startedAt: at(10), endedAt: at(20) },
    { startedAt: at(50), endedAt: at(60) },
    { startedAt: at(100) },
  ];
  it.each<[string, number, number]>([
    ["are none before the job began", 5, 0],
    ["count from the beginning", 15, 5],
    ["stand still in a pause", 40, 10],
    ["go on after it", 55, 15],
    ["go on in a segment without an end", 130, 50],
  ])("%s", (_what, second, expected) => {
    expect(activeSeconds(paused, at(second))).toBe(expected);
  });

  it("are none where the batch of the point is gone", () => {
    expect(activeSeconds(paused, undefined)).toBe(0);
  });
});

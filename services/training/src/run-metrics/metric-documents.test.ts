import { describe, expect, it } from "vitest";
import { maxPointsOf } from "./metric-documents.ts";

describe("max points of each metric", () => {
  it.each([
    { asked: 0, metrics: 1, points: 0 },
    { asked: 5_000, metrics: 2_000, points: 5_000 },
    { asked: undefined, metrics: 0, points: 200 },
    { asked: undefined, metrics: 1, points: 200 },
    { asked: undefined, metrics: 100, points: 200 },
    { asked: undefined, metrics: 101, points: 198 },
    { asked: undefined, metrics: 2_000, points: 10 },
  ])("are $points of $metrics metrics where a reader asks for $asked", ({ asked, metrics, points }) => {
    expect(maxPointsOf(asked === undefined ? {} : { maxPoints: asked }, metrics)).toBe(points);
  });

  it("are less than 1 MB where no reader says how many, whatever their values", () => {
    const longest = `4294967295,-1.2345678901234567e-100,4294967295,`;
    for (const metrics of [1, 50, 100, 101, 1_999, 2_000])
      expect(maxPointsOf({}, metrics) * metrics * longest.length).toBeLessThan(1_000_000);
  });
});

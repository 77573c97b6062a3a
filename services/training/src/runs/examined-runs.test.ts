import { describe, expect, it } from "vitest";
import { fillsHalf, nextCount } from "./examined-runs.ts";

const bounds = { sample: 200, examined: 1_500 };

describe("how many runs are looked at next", () => {
  it.each<[what: string, examined: number, found: number, limit: number, count: number]>([
    ["a sample at first", 0, 0, 100, 200],
    ["some more than the sample lets expect", 200, 20, 100, 1_013],
    ["few where few are missing", 200, 99, 100, 50],
    ["all that are left where nothing was found", 200, 0, 100, 1_300],
    ["no more than are left", 1_400, 10, 1_000, 100],
  ])("is %s", (_what, examined, found, limit, count) => {
    expect(nextCount({ examined, found }, limit, bounds)).toBe(count);
  });
});

describe("a page", () => {
  it.each<[found: number, limit: number, isExpected: boolean]>([
    [7, 100, true],
    [6, 100, false],
    [0, 1, false],
    [200, 1_000, true],
  ])("is expected to be half full, or not, where the sample has %i for a page of %i", (found, limit, isExpected) => {
    expect(fillsHalf(found, limit, bounds)).toBe(isExpected);
  });
});

import { describe, expect, it } from "vitest";
import { rows } from "../../bench/goals.ts";
import { type Figure, ratiosOf, spread } from "../../bench/harness/figure.ts";
import { disturbance, quietLimits } from "../../bench/harness/quietness.ts";
import { newestQuiet, type ResultFile } from "../../bench/result-file.ts";
import { type Goal, hasFallen, summaryOf, verdictOf } from "../../bench/verdict.ts";

/** A figure whose ratio to its floor is this. */
const withRatio = (ratio: number): Figure => ({
  ...{ id: "f", name: "figure", unit: "ms", values: [ratio * 2, ratio * 4, ratio * 6] },
  floor: { name: "floor", values: [2, 4, 6] },
});
const atMost: Goal = { figure: "f", max: 2 };
const atLeast: Goal = { figure: "f", min: 2 };

describe("a verdict", () => {
  it.each([
    ["a ratio at its max", atMost, 2, "met"],
    ["a ratio above its max", atMost, 2.01, "missed"],
    ["a ratio at its min", atLeast, 2, "met"],
    ["a ratio below its min", atLeast, 1.99, "missed"],
    ["a value, whatever the ratio", { figure: "f", of: "value", max: 5 }, 1, "met"],
    ["a figure that was not measured", { figure: "other", max: 5 }, 1, "not measured"],
  ] as const)("of %s", (_, goal, ratio, verdict) => {
    expect(verdictOf(goal, [summaryOf(withRatio(ratio))])).toBe(verdict);
  });

  it("of a figure without rounds is that it was not measured", () => {
    const figure: Figure = { id: "f", name: "figure", unit: "s", values: [] };
    expect(verdictOf({ figure: "f", of: "value", max: 5 }, [summaryOf(figure)])).toBe("not measured");
  });
});

describe("a figure beside its floor", () => {
  it("has a ratio for each round, of what was measured in that round", () => {
    expect(ratiosOf({ values: [2, 9], floor: { name: "floor", values: [1, 3] } })).toEqual([2, 3]);
  });

  it("is shown as its median, min and max", () => {
    expect(spread([3, 1, 2])).toBe("2.00 [1.00-3.00]");
  });
});

describe("a figure against the newest result", () => {
  it.each([
    ["a cost that rose by a third", atMost, 1, 1.33, false],
    ["a cost that rose by more than a half", atMost, 1, 1.51, true],
    ["a rate that fell by a quarter", atLeast, 4, 3, false],
    ["a rate that fell by more than a third", atLeast, 4, 2.6, true],
    ["a rate that rose", atLeast, 1, 9, false],
  ] as const)("%s", (_, goal, before, now, fell) => {
    expect(hasFallen(goal, [summaryOf(withRatio(before))], [summaryOf(withRatio(now))])).toBe(fell);
  });

  it("has not fallen when one of both was not measured", () => {
    expect(hasFallen(atMost, [], [summaryOf(withRatio(9))])).toBe(false);
  });
});

describe("the result to compare with", () => {
  const machine = { processor: "A", cores: 2, memoryGiB: 8, system: "linux x64", node: "v26", spinMs: 10 };
  const result = (commit: string, disturbed?: string): ResultFile => ({
    ...{ commit, measuredAt: "2026-01-01T00:00:00Z", machine },
    rows: [{ row: 3, figures: [], ...(disturbed && { disturbed }) }],
  });

  it("is the newest that was measured on a quiet machine and of committed files", () => {
    const quiet = result("b");
    const results = [result("a"), quiet, result("c", "others"), result("d-changed")];
    expect(newestQuiet(results, 3, machine)).toBe(quiet.rows[0]);
    expect(newestQuiet(results, 4, machine)).toBeUndefined();
  });

  it.each([{ processor: "B" }, { cores: 4 }])("is of a machine of the same kind, not of one with %j", (other) => {
    expect(newestQuiet([result("a")], 3, { ...machine, ...other })).toBeUndefined();
  });
});

describe("a machine", () => {
  const quiet = { spinMs: 10, busy: 0, load: 0 };
  const calibration = { calibratedMs: 10, first: true, cores: 2 };

  it("that does nothing else is quiet", () => {
    expect(disturbance(quiet, calibration)).toBeUndefined();
  });

  it.each([
    ["a load", { ...quiet, load: 2 * quietLimits.load + 0.1 }, "the load is 0.9 on 2 processors"],
    ["busy processors", { ...quiet, busy: 0.5 }, "others keep 50 % of the processors busy"],
    ["a slow computation", { ...quiet, spinMs: 13 }, "a fixed computation takes 1.30 × its best time"],
  ])("with %s is not, and it is said why", (_, look, why) => {
    expect(disturbance(look, calibration)).toBe(why);
  });

  it("that has just run a row is not judged by its load", () => {
    expect(disturbance({ ...quiet, load: 9 }, { ...calibration, first: false })).toBeUndefined();
  });
});

describe("the goals", () => {
  it("are rows from 1 on, each with a bench or the reason why there is none", () => {
    expect(rows.map(({ row }) => row)).toEqual(rows.map((_, index) => index + 1));
    for (const { benches } of rows) expect(benches.length).toBeGreaterThan(0);
  });

  it("have one limit each", () => {
    const limits = rows
      .flatMap(({ goals }) => goals)
      .map(({ max, min }) => [max, min].filter((each) => each !== undefined));
    expect(limits.filter(({ length }) => length !== 1)).toEqual([]);
  });
});

import { describe, expect, it } from "vitest";
import { maxPointsPerReport, problemOf, sensibleMs } from "./report.ts";

const column = (steps: number, values: number) => ({
  name: "loss",
  steps: new Uint32Array(steps),
  values: new Float64Array(values),
  observedAtMs: 0,
});

describe("a batch", () => {
  it.each([
    { columns: [], field: undefined },
    { columns: [column(2, 2), column(0, 0)], field: undefined },
    { columns: [column(2, 2), column(2, 3)], field: "columns[1].values" },
    { columns: [{ ...column(2, 2), agesMs: [1, 0] }], field: undefined },
    { columns: [{ ...column(2, 2), agesMs: [1] }], field: "columns[0].ages_ms" },
    { columns: [column(maxPointsPerReport, maxPointsPerReport)], field: undefined },
    { columns: [column(maxPointsPerReport, maxPointsPerReport), column(1, 1)], field: "columns" },
  ])("has its problem in $field", ({ columns, field }) => {
    expect(problemOf(columns)?.field).toBe(field);
  });
});

describe("a time a trainer gave", () => {
  it.each([
    [0, undefined],
    [-1, undefined],
    [Number.NaN, undefined],
    [Number.POSITIVE_INFINITY, undefined],
    [1.5, 1],
    [Date.UTC(9999, 11, 31), Date.UTC(9999, 11, 31)],
    [Date.UTC(10_000, 0), undefined],
  ])("%p is taken as %p", (given, taken) => {
    expect(sensibleMs(given)).toBe(taken);
  });
});

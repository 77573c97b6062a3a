import { describe, expect, it } from "vitest";
import { type CurvePoint, drawn, extended, maxPoints, numberText } from "./curve.ts";

const curveOf = (...values: number[]): CurvePoint[] => values.map((value, step) => ({ step, value }));
const room = { columns: 12, rows: 2 };

describe("a curve as text", () => {
  it.each([
    { of: "nothing", curve: [], lines: [] },
    { of: "no number at all", curve: curveOf(Number.NaN, Number.POSITIVE_INFINITY), lines: [] },
    { of: "a line that rises", curve: curveOf(0, 1), lines: ["1 ┤    ⢀⡠⠤⠒⠉", "0 ┤⣀⠤⠒⠊⠁", "   0       1"] },
    { of: "a line that falls", curve: curveOf(1, 0), lines: ["1 ┤⠉⠒⠤⢄⡀", "0 ┤    ⠈⠑⠒⠤⣀", "   0       1"] },
    { of: "a line with a turn", curve: curveOf(0, 4, 2, 4), lines: ["4 ┤ ⢀⠔⠑⠤⡀⣀⠔⠊", "0 ┤⡠⠊   ⠈", "   0       3"] },
    { of: "one value", curve: curveOf(3), lines: ["3 ┤    ⡀", "3 ┤", "   0       0"] },
    {
      of: "steps that came in another order",
      curve: curveOf(1, 0).toReversed(),
      lines: ["1 ┤⠉⠒⠤⢄⡀", "0 ┤    ⠈⠑⠒⠤⣀", "   0       1"],
    },
  ])("shows $of", ({ curve, lines }) => {
    expect(drawn(curve, room)).toEqual(lines);
  });

  it("is never wider than its room", () => {
    const lines = drawn(curveOf(...Array.from({ length: 500 }, (_, step) => Math.sin(step) / 1_000)), {
      columns: 40,
      rows: 8,
    });
    expect([lines.length, Math.max(...lines.map((line) => line.length)) <= 40]).toEqual([9, true]);
  });
});

describe("a curve that grows", () => {
  it("keeps a bounded number of points, its extremes among them", () => {
    const values = Array.from({ length: 50_000 }, (_, step) => (step === 777 ? 9 : step === 31_111 ? -9 : 0));
    let curve: readonly CurvePoint[] = [];
    const points = values.map((value, step) => ({ step, value }));
    for (let from = 0; from < points.length; from += 250) curve = extended(curve, points.slice(from, from + 250));
    expect(curve.length).toBeLessThanOrEqual(maxPoints);
    expect(curve.filter(({ value }) => value !== 0)).toEqual([
      { step: 777, value: 9 },
      { step: 31_111, value: -9 },
    ]);
  });
});

describe("a value as text", () => {
  it.each([
    [0.3, "0.3"],
    [0.123456, "0.1235"],
    [123_456, "123500"],
    [1e-9, "1e-9"],
    [Number.NaN, "NaN"],
  ])("%d is %s", (value, text) => {
    expect(numberText(value)).toBe(text);
  });
});

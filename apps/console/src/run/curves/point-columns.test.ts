import { describe, expect, it } from "vitest";
import { PointColumns, thinned } from "./point-columns.ts";

const columnsOf = (points: readonly (readonly [number, number])[]) => {
  const columns = new PointColumns();
  for (const [step, value] of points) columns.add(step, value);
  return columns;
};

describe("points of a segment", () => {
  it("stand in the order of their steps", () => {
    const columns = columnsOf(Array.from({ length: 1_000 }, (_, step) => [step, step * 2]));
    expect([columns.length, columns.steps.at(-1), columns.values.at(-1)]).toEqual([1_000, 999, 1_998]);
  });

  it("are left out when a report is repeated", () => {
    const columns = columnsOf([
      [1, 10],
      [2, 20],
      [1, 11],
    ]);
    expect([...columns.values]).toEqual([10, 20]);
  });

  it("have the newer value of a step that is reported again", () => {
    const columns = columnsOf([
      [1, 10],
      [1, 11],
    ]);
    expect([[...columns.steps], [...columns.values]]).toEqual([[1], [11]]);
  });

  it("take bounded memory, and lose no extreme", () => {
    const columns = columnsOf(Array.from({ length: 100_000 }, (_, step) => [step, step === 31_337 ? 99 : 0]));
    expect(columns.length).toBeLessThanOrEqual(16_384);
    expect(Math.max(...columns.values)).toBe(99);
    expect([columns.steps[0], columns.steps.at(-1)]).toEqual([0, 99_999]);
  });
});

describe("a curve with more points than pixels", () => {
  const steps = Float64Array.from({ length: 10_000 }, (_, index) => index);
  const values = steps.map((step) => (step === 4_321 ? -5 : Math.sin(step / 100)));

  it("is thinned to two points of each pixel at most", () => {
    expect(thinned(steps, values, 300)[0].length).toBeLessThanOrEqual(600);
  });

  it("keeps its first and its last point and its extremes", () => {
    const [keptSteps, keptValues] = thinned(steps, values, 300);
    expect([keptSteps[0], keptSteps.at(-1), Math.min(...keptValues)]).toEqual([0, 9_999, -5]);
  });

  it("keeps the order of its points", () => {
    const [keptSteps] = thinned(steps, values, 300);
    expect(keptSteps).toEqual(keptSteps.toSorted((one, other) => one - other));
  });
});

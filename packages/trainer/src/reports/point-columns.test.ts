import { describe, expect, it } from "vitest";
import { PointColumns } from "./point-columns.ts";

const points = (values: number[]) =>
  PointColumns.of([["loss", { steps: values.map((_, step) => step), values, observedAtMs: 1 }]]);
const valuesOf = (columns: PointColumns) => [...columns.entries()].flatMap(([, { values }]) => values);

describe("thinning", () => {
  it("keeps the least and the greatest of every four, in their order", () => {
    expect(valuesOf(points([3, 1, 4, 2, 7, 8, 6, 7, 5]).thinned())).toEqual([1, 4, 8, 6, 5]);
  });

  it("keeps a value that is no number", () => {
    expect(valuesOf(points([1, Number.NaN, 2, 3]).thinned())).toEqual([1, Number.NaN]);
  });
});

describe("joining", () => {
  it("puts the later points behind the earlier ones, metric by metric", () => {
    const later = new PointColumns();
    later.add("loss", { step: 7, value: 0.5, atMs: 9 });
    later.add("rate", { step: 7, value: 0.1, atMs: 9 });
    const joined = points([3, 2]).followedBy(later);
    expect(new Map(joined.entries())).toEqual(
      new Map([
        ["loss", { steps: [0, 1, 7], values: [3, 2, 0.5], observedAtMs: 9 }],
        ["rate", { steps: [7], values: [0.1], observedAtMs: 9 }],
      ]),
    );
    expect(joined.size).toBe(4);
  });
});

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { downsample } from "./downsample.ts";

const anyValue = fc.oneof(
  fc.double({ noNaN: true, min: -1e6, max: 1e6 }),
  fc.constantFrom(Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 0),
);
const anyValues = fc.array(anyValue, { maxLength: 400 }).map((values) => Float64Array.from(values));
const anyBound = fc.oneof(fc.integer({ min: 0, max: 12 }), fc.integer({ min: 0, max: 500 }));

/** A curve does not show the sign of a zero: adding 0 takes it away. */
function comparable(values: Iterable<number>): number[] {
  return [...values].filter((value) => !Number.isNaN(value)).map((value) => value + 0);
}

describe("thinning points", () => {
  it("never shows more than the bound", () => {
    fc.assert(
      fc.property(anyValues, anyBound, (values, bound) => downsample(values, values.length, bound).length <= bound),
    );
  });

  it("shows every point when the bound allows it", () => {
    fc.assert(
      fc.property(anyValues, (values) => {
        expect([...downsample(values, values.length, values.length)]).toEqual([...values.keys()]);
      }),
    );
  });

  it("keeps the order and shows no point twice", () => {
    fc.assert(
      fc.property(anyValues, anyBound, (values, bound) => {
        const chosen = [...downsample(values, values.length, bound)];
        expect(chosen).toEqual([...new Set(chosen)].sort((a, b) => a - b));
      }),
    );
  });

  it("always shows the first and the last, and with a bound of one the last", () => {
    fc.assert(
      fc.property(anyValues, anyBound, (values, bound) => {
        fc.pre(values.length > 0 && bound > 0);
        const chosen = downsample(values, values.length, bound);
        expect(chosen.at(-1)).toBe(values.length - 1);
        if (bound > 1) expect(chosen[0]).toBe(0);
      }),
    );
  });

  it("keeps min and max from a bound of four on, NaN or not", () => {
    fc.assert(
      fc.property(anyValues, fc.integer({ min: 4, max: 60 }), (values, bound) => {
        const all = comparable(values);
        fc.pre(all.length > 0);
        const shown = comparable(
          [...downsample(values, values.length, bound)].map((index) => values[index] ?? Number.NaN),
        );
        expect(Math.min(...shown)).toBe(Math.min(...all));
        expect(Math.max(...shown)).toBe(Math.max(...all));
      }),
    );
  });

  it("takes zeros of both signs for the same extreme", () => {
    const values = Float64Array.from([-0, -0, 0, Number.NaN, Number.NaN]);
    const shown = [...downsample(values, values.length, 4)].map((index) => values[index] ?? Number.NaN);
    expect(Math.max(...comparable(shown))).toBe(Math.max(...comparable(values)));
  });

  it("keeps both extremes of each stretch", () => {
    const values = Float64Array.from({ length: 1_002 }, (_, index) =>
      index % 100 === 50 ? 1_000 + index : index % 100 === 70 ? -index : 0,
    );
    const shown = new Set(downsample(values, values.length, 22));
    for (let stretch = 0; stretch < 10; stretch++) {
      expect(shown.has(stretch * 100 + 50)).toBe(true);
      expect(shown.has(stretch * 100 + 70)).toBe(true);
    }
  });

  it.each([
    { values: [1, 9, 2, 3], bound: 3, shown: [0, 1, 3] },
    { values: [9, 4, -5, 3], bound: 3, shown: [0, 2, 3] },
    { values: [Number.NaN, Number.NaN, 5, Number.NaN], bound: 3, shown: [0, 2, 3] },
    { values: [1, Number.NaN, Number.NaN, 1], bound: 3, shown: [0, 1, 3] },
    { values: [1, 2, 3], bound: 2, shown: [0, 2] },
    { values: [1, 2, 3], bound: 0, shown: [] },
  ])("shows $shown of $values with room for $bound", ({ values, bound, shown }) => {
    expect([...downsample(Float64Array.from(values), values.length, bound)]).toEqual(shown);
  });
});

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { PointBuffer } from "./point-buffer.ts";
import { columnCapacity, exactTail, PointColumn } from "./point-column.ts";

function collect(column: PointColumn, afterSequence = 0) {
  const points = new PointBuffer();
  const complete = column.collect(points, afterSequence);
  const { size } = points;
  return {
    complete,
    steps: [...points.steps.subarray(0, size)],
    values: [...points.values.subarray(0, size)],
    sequences: [...points.sequences.subarray(0, size)],
  };
}

/** One point a step, ten points a sequence. */
function columnOf(count: number, valueAt: (index: number) => number): PointColumn {
  const column = new PointColumn();
  for (let index = 0; index < count; index++) column.add(index, valueAt(index), 1 + Math.floor(index / 10));
  return column;
}

const wave = (index: number) => Math.sin(index / 700) * (1 + ((index * 2_654_435_761) % 1_000) / 1_000);

describe("a column of few points", () => {
  it("keeps each of them, in order", () => {
    fc.assert(
      fc.property(fc.array(fc.double(), { maxLength: 300 }), (values) => {
        const column = columnOf(values.length, (index) => values[index] ?? 0);
        expect(collect(column)).toMatchObject({ complete: true, values, steps: [...values.keys()] });
      }),
    );
  });

  it("gives exactly what is newer than a sequence", () => {
    expect(collect(columnOf(95, wave), 8).steps).toEqual([...Array(15).keys()].map((index) => 80 + index));
    expect(collect(columnOf(95, wave), 10).steps).toEqual([]);
  });
});

describe("a column of many points", () => {
  const count = 250_000;
  const column = columnOf(count, wave);

  it("stays within its bound", () => {
    expect(collect(column).values.length).toBeLessThanOrEqual(columnCapacity + 4);
    expect(column.bytes).toBeLessThan(512 * 1024);
    expect(column.total).toBe(count);
  });

  it("keeps the first and the newest point", () => {
    const { steps } = collect(column);
    expect([steps[0], steps.at(-1)]).toEqual([0, count - 1]);
  });

  it("keeps order and never shows a point twice", () => {
    const { steps, sequences } = collect(column);
    expect(steps.every((step, index) => index === 0 || step > (steps[index - 1] ?? 0))).toBe(true);
    expect(sequences.every((sequence, index) => index === 0 || sequence >= (sequences[index - 1] ?? 0))).toBe(true);
  });

  it("says that there were more", () => {
    expect(collect(column).complete).toBe(false);
  });

  it("keeps the extremes of every stretch of a thousand points", () => {
    const kept = new Map<number, number[]>();
    const { steps, values } = collect(column);
    for (const [index, step] of steps.entries()) {
      const stretch = Math.floor(step / 1_000);
      kept.set(stretch, [...(kept.get(stretch) ?? []), values[index] ?? 0]);
    }
    // Groups hold 64 points here, so a stretch's extreme stands in it or in the group that reaches over its edge.
    for (let stretch = 1; stretch < count / 1_000 - 1; stretch++) {
      const raw = Array.from({ length: 1_000 - 128 }, (_, index) => wave(stretch * 1_000 + 64 + index));
      expect(Math.max(...(kept.get(stretch) ?? []))).toBeGreaterThanOrEqual(Math.max(...raw));
      expect(Math.min(...(kept.get(stretch) ?? []))).toBeLessThanOrEqual(Math.min(...raw));
    }
  });

  it("gives each newer point to a reader who follows closely", () => {
    const newest = 1 + Math.floor((count - 1) / 10);
    const wanted = exactTail - (exactTail % 10);
    const { complete, steps } = collect(column, newest - wanted / 10);
    expect(complete).toBe(true);
    expect(steps).toEqual([...Array(wanted).keys()].map((index) => count - wanted + index));
  });

  it("knows its best points", () => {
    const all = Array.from({ length: count }, (_, index) => wave(index));
    expect(column.highest?.value).toBe(all.reduce((a, b) => Math.max(a, b)));
    expect(column.lowest?.value).toBe(all.reduce((a, b) => Math.min(a, b)));
  });
});

describe("NaN in a column", () => {
  it("hides no extreme, however many there are", () => {
    const column = columnOf(100_000, (index) => (index === 33_333 ? 7 : index === 66_666 ? -7 : Number.NaN));
    const { values } = collect(column);
    expect(values).toContain(7);
    expect(values).toContain(-7);
    expect(column.highest).toEqual({ value: 7, step: 33_333 });
  });
});

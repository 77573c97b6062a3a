import type { PointBuffer } from "./point-buffer.ts";

/** A number as JSON text; what JSON has no number for becomes a string. */
export function numberJson(value: number): string {
  return Number.isFinite(value) ? JSON.stringify(value) : `"${value}"`;
}

/** What one metric's `series` entry shows. */
export interface SeriesSelection {
  points: PointBuffer;
  /** Segment of the points from `from` on, in the order of the points. */
  stretches: readonly { segment: number; from: number }[];
  /** Indices of the points to show, ascending. */
  chosen: Uint32Array;
  sampled: boolean;
}

/** `{"steps":[…],"values":[…],"segments":[…],"sampled":…}` */
export function seriesJson({ points, stretches, chosen, sampled }: SeriesSelection): string {
  let steps = "";
  let values = "";
  let segments = "";
  let stretch = 0;
  for (const index of chosen) {
    while (index >= (stretches[stretch + 1]?.from ?? Number.POSITIVE_INFINITY)) stretch++;
    const comma = steps === "" ? "" : ",";
    const value = points.values[index] ?? Number.NaN;
    steps += `${comma}${points.steps[index]}`;
    values += Number.isFinite(value) ? `${comma}${value}` : `${comma}"${value}"`;
    segments += `${comma}${stretches[stretch]?.segment ?? 0}`;
  }
  return `{"steps":[${steps}],"values":[${values}],"segments":[${segments}],"sampled":${sampled}}`;
}

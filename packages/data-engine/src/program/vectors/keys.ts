import type { VectorMetric } from "../../requests.ts";
import { type Matrix, newMatrix } from "./kernel.ts";
import { lengthOf } from "./metrics.ts";

/**
 * Where a vector is among the cells. For an inner product it has one number more, which gives all vectors the length of the longest one: then the one with the
 * largest product is the nearest.
 */
export function keyWidth(metric: VectorMetric, dimensions: number): number {
  return metric === "dot" ? dimensions + 1 : dimensions;
}

/** Writes the key of a stored vector; `longest`: the greatest length of all vectors. */
export function writeKey(
  metric: VectorMetric,
  { matrix, row, longest }: { readonly matrix: Matrix; readonly row: number; readonly longest: number },
  into: Matrix,
  at: number,
): void {
  const { width } = matrix;
  into.numbers.set(matrix.numbers.subarray(row * width, (row + 1) * width), at * into.width);
  if (metric === "dot")
    into.numbers[at * into.width + width] = Math.sqrt(Math.max(0, longest ** 2 - lengthOf(matrix, row) ** 2));
}

/** The key of what is looked for, as a matrix of one row. */
export function soughtKey(metric: VectorMetric, sought: Matrix): Matrix {
  const key = newMatrix(1, keyWidth(metric, sought.width));
  key.numbers.set(sought.numbers.subarray(0, sought.width));
  return key;
}

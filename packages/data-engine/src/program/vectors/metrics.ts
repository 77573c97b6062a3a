import { type VectorMetric, vectorMetrics } from "../../requests.ts";
import { type Comparison, dots, type Matrix, squaredDistances } from "./kernel.ts";

interface MetricRules {
  /** Compares vectors as they are stored. */
  readonly compare: Comparison;
  /** The distance that this says. */
  readonly distanceOf: (compared: number) => number;
  /** Vectors are stored with the length 1. */
  readonly hasUnitLength: boolean;
}

export const metricRules: Readonly<Record<VectorMetric, MetricRules>> = {
  cosine: { compare: dots, distanceOf: (product) => 1 - product, hasUnitLength: true },
  l2: { compare: squaredDistances, distanceOf: Math.sqrt, hasUnitLength: false },
  dot: { compare: dots, distanceOf: (product) => -product, hasUnitLength: false },
};

/** @throws where it is none of them */
export function metricOf(text: string): VectorMetric {
  const metric = vectorMetrics.find((each) => each === text);
  if (metric === undefined) throw new Error("vectors without a metric");
  return metric;
}

export function lengthOf({ numbers, width }: Matrix, row: number): number {
  let sum = 0;
  for (let at = row * width; at < (row + 1) * width; at++) sum += (numbers[at] ?? 0) ** 2;
  return Math.sqrt(sum);
}

/** Puts a vector into a row as it is stored. Answers whether it can be found: one without a direction has no angle, and a length that is not finite none at all. */
export function store(metric: VectorMetric, vector: ArrayLike<number>, into: Matrix, row: number): boolean {
  const { numbers, width } = into;
  const from = row * width;
  for (let at = 0; at < width; at++) numbers[from + at] = vector[at] ?? 0;
  const length = lengthOf(into, row);
  if (!Number.isFinite(length)) return false;
  if (!metricRules[metric].hasUnitLength) return true;
  if (length === 0) return false;
  for (let at = from; at < from + width; at++) numbers[at] = (numbers[at] ?? 0) / length;
  return true;
}

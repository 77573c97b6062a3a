import type { Segment } from "../../api/platform.ts";
import { thinned } from "./point-columns.ts";
import type { Stretches } from "./series-store.ts";

/** A curve as two columns; null interrupts it. */
export type Curve = [steps: number[], values: (number | null)[]];

/** What a chart draws of a metric. */
export interface CurveData {
  /** What counts: the segments up to where each was left. */
  active: Curve;
  /** Points that a rollback or a warm restart has archived, a curve for each segment that has some. */
  archived: Curve[];
}

interface View {
  /** Least and greatest step that is seen; undefined: all. */
  range?: readonly [min: number, max: number] | undefined;
  /** Pixels across. */
  width: number;
}

/** Parts the points of a metric into active and archived ones, and thins them to what the pixels can show. */
export function curveData(
  stretches: Stretches,
  segments: readonly Pick<Segment, "index" | "archived_from_step">[],
  { range = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY], width }: View,
): CurveData {
  const endOf = new Map(segments.map(({ index, archived_from_step: step }) => [index, step]));
  const active: Curve = [[], []];
  const archived: Curve[] = [];
  const buckets = Math.max(16, Math.floor(width));
  for (const [index, columns] of [...stretches].sort(([one], [other]) => one - other)) {
    const [steps, values] = [columns.steps, columns.values];
    const from = Math.max(0, indexAfter(steps, range[0], false) - 1);
    const to = Math.min(steps.length, indexAfter(steps, range[1], true) + 1);
    const end = endOf.get(index) ?? Number.POSITIVE_INFINITY;
    const left = Math.min(to, Math.max(from, indexAfter(steps, end, true)));
    append(active, thinned(steps.subarray(from, left), values.subarray(from, left), buckets));
    if (left < to) {
      // From the last active point on, so that the curves meet.
      const start = Math.max(from, left - 1);
      archived.push(withGaps(thinned(steps.subarray(start, to), values.subarray(start, to), buckets)));
    }
  }
  return { active, archived };
}

/** How many of ascending steps are below a step, or with `isIncluded` not above it. */
function indexAfter(steps: Float64Array, step: number, isIncluded: boolean): number {
  let [low, high] = [0, steps.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const value = steps[middle] ?? 0;
    if (value < step || (isIncluded && value === step)) low = middle + 1;
    else high = middle;
  }
  return low;
}

function append([steps, values]: Curve, [moreSteps, moreValues]: [number[], number[]]): void {
  const last = steps.at(-1) ?? Number.NEGATIVE_INFINITY;
  for (let index = 0; index < moreSteps.length; index += 1) {
    const step = moreSteps[index] ?? 0;
    if (step <= last) continue;
    steps.push(step);
    values.push(finiteOrNull(moreValues[index]));
  }
}

const withGaps = ([steps, values]: [number[], number[]]): Curve => [steps, values.map(finiteOrNull)];

const finiteOrNull = (value = Number.NaN): number | null => (Number.isFinite(value) ? value : null);

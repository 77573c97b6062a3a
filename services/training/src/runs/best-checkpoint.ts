import type { Checkpoint } from "../job-log/job-entry.ts";
import type { PrimaryMetric } from "./run.ts";

/** The checkpoint whose value of the metric is best; of equals the newest. One without a value, or with NaN, never is. */
export function bestCheckpoint(checkpoints: readonly Checkpoint[], metric: PrimaryMetric): Checkpoint | undefined {
  return rankedByMetric(checkpoints, metric)[0];
}

/** The best checkpoint; the newest where there is no primary metric, or no checkpoint has a value of it. */
export function bestOrNewest(
  checkpoints: readonly Checkpoint[],
  primaryMetric: PrimaryMetric | undefined,
): Checkpoint | undefined {
  return (primaryMetric && bestCheckpoint(checkpoints, primaryMetric)) ?? checkpoints.at(-1);
}

/** Those with a value of the metric, the best first; of equals the newest first. */
export function rankedByMetric(checkpoints: readonly Checkpoint[], { name, goal }: PrimaryMetric): Checkpoint[] {
  const measured = checkpoints.toReversed().flatMap((checkpoint) => {
    const value = checkpoint.metrics.find((metric) => metric.name === name)?.value;
    return value === undefined || Number.isNaN(value) ? [] : [{ checkpoint, value }];
  });
  const sign = goal === "maximize" ? -1 : 1;
  const inOrder = measured.toSorted((one, other) =>
    one.value === other.value ? 0 : one.value < other.value ? -sign : sign,
  );
  return inOrder.map(({ checkpoint }) => checkpoint);
}

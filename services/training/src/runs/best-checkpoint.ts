import type { Checkpoint } from "../job-log/job-entry.ts";
import type { PrimaryMetric } from "./run.ts";

/** The checkpoint whose value of the metric is best; of equals the newest. One without a value, or with NaN, never is. */
export function bestCheckpoint(
  checkpoints: readonly Checkpoint[],
  { name, goal }: PrimaryMetric,
): Checkpoint | undefined {
  let best: { checkpoint: Checkpoint; value: number } | undefined;
  for (const checkpoint of checkpoints) {
    const value = checkpoint.metrics.find((metric) => metric.name === name)?.value;
    if (value === undefined || Number.isNaN(value)) continue;
    const better = !best || (goal === "maximize" ? value >= best.value : value <= best.value);
    if (better) best = { checkpoint, value };
  }
  return best?.checkpoint;
}

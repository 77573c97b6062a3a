import type { Checkpoint } from "../job-log/job-entry.ts";
import { bestCheckpoint } from "../runs/best-checkpoint.ts";
import type { PrimaryMetric } from "../runs/run.ts";
import type { JobLive } from "./job-live.ts";
import { numberJson } from "./series-json.ts";

/** `{name, goal, value, step, best_value, best_step, best_checkpoint_id}` as JSON; `{}` without one or before any report. */
export function primaryMetricJson(
  primary: PrimaryMetric | undefined,
  job: JobLive | undefined,
  checkpoints: readonly Checkpoint[],
): string {
  if (!primary || !job) return "{}";
  const series = job.series.get(primary.name);
  const newest = series?.newest();
  const best = series?.best(primary.goal);
  const fields = [
    `"name":${JSON.stringify(primary.name)}`,
    `"goal":"${primary.goal}"`,
    `"value":${newest ? numberJson(newest.value) : null}`,
    `"step":${newest?.step ?? null}`,
    `"best_value":${best ? numberJson(best.value) : null}`,
    `"best_step":${best?.step ?? null}`,
    `"best_checkpoint_id":${JSON.stringify(bestCheckpoint(checkpoints, primary)?.id ?? null)}`,
  ];
  return `{${fields.join(",")}}`;
}

import type { Checkpoint } from "../job-log/job-entry.ts";
import { bestCheckpoint } from "../runs/best-checkpoint.ts";
import type { PrimaryMetric } from "../runs/run.ts";
import type { JobLive } from "./job-live.ts";
import { numberJson } from "./series-json.ts";

/** The metric that a job is judged by, as it is now. */
export interface PrimaryMetricView {
  name: string;
  goal: PrimaryMetric["goal"];
  newest: Reading | undefined;
  best: Reading | undefined;
  bestCheckpointId: string | undefined;
}

interface Reading {
  value: number;
  step: number;
}

/** Undefined without one, and before any report. */
export function primaryMetricOf(
  primary: PrimaryMetric | undefined,
  job: JobLive | undefined,
  checkpoints: readonly Checkpoint[],
): PrimaryMetricView | undefined {
  if (!primary || !job) return undefined;
  const { name, goal } = primary;
  const series = job.series.get(name);
  const bestCheckpointId = bestCheckpoint(checkpoints, primary)?.id;
  return { name, goal, newest: series?.newest(), best: series?.best(goal), bestCheckpointId };
}

/** `{name, goal, value, step, best_value, best_step, best_checkpoint_id}`; `{}` without one. */
export function primaryMetricJson(primary: PrimaryMetricView | undefined): string {
  if (!primary) return "{}";
  const { name, goal, newest, best, bestCheckpointId } = primary;
  const fields = [
    `"name":${JSON.stringify(name)}`,
    `"goal":"${goal}"`,
    `"value":${newest ? numberJson(newest.value) : null}`,
    `"step":${newest?.step ?? null}`,
    `"best_value":${best ? numberJson(best.value) : null}`,
    `"best_step":${best?.step ?? null}`,
    `"best_checkpoint_id":${JSON.stringify(bestCheckpointId ?? null)}`,
  ];
  return `{${fields.join(",")}}`;
}

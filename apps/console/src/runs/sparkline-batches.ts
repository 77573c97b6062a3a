import type { Run } from "../api/platform.ts";

/** Runs whose curves one request can read: of one metric, of jobs of one name. */
export interface SparklineBatch {
  metric: string;
  jobName: string;
  runIds: string[];
}

/** Most runs that one comparison takes. */
export const maxCompared = 10;

/** Requests for the curves of the primary metrics of runs; runs without one are left out. */
export function sparklineBatches(runs: readonly Run[]): SparklineBatch[] {
  const batches: SparklineBatch[] = [];
  for (const { id, jobs } of runs) {
    const job = jobs[0]?.job;
    if (!job?.primary_metric) continue;
    const { primary_metric: metric, name: jobName } = job;
    const open = batches.find(
      (each) => each.metric === metric && each.jobName === jobName && each.runIds.length < maxCompared,
    );
    if (open) open.runIds.push(id);
    else batches.push({ metric, jobName, runIds: [id] });
  }
  return batches;
}

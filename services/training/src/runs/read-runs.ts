import { NotFoundError } from "../errors.ts";
import type { JobLogs } from "../jobs/job-logs.ts";
import type { JobSnapshot } from "../jobs/job-snapshot.ts";
import type { PipelineStore } from "../pipelines/pipeline-store.ts";
import type { Run } from "./run.ts";
import type { RunStore } from "./run-store.ts";

/** What reading runs needs. */
export interface ReadRunsDependencies {
  pipelines: PipelineStore;
  runs: RunStore;
  logs: JobLogs;
}

/** A run, with its jobs in the order declared. */
export interface RunAsItStands {
  run: Run;
  jobs: JobSnapshot[];
}

/** The run. Throws NotFoundError. */
export async function getRun(
  { runs, logs }: Pick<ReadRunsDependencies, "runs" | "logs">,
  organisationId: string,
  runId: string,
): Promise<RunAsItStands> {
  const run = await runs.find(organisationId, runId);
  if (!run) throw new NotFoundError();
  return asItStands(logs, run);
}

/** Runs of the pipeline, newest first. Throws NotFoundError. */
export async function listRuns(
  { pipelines, runs, logs }: ReadRunsDependencies,
  organisationId: string,
  { pipelineId, limit }: { pipelineId: string; limit: number },
): Promise<RunAsItStands[]> {
  if (!(await pipelines.find(organisationId, pipelineId))) throw new NotFoundError();
  const found = await runs.ofPipeline(organisationId, pipelineId, limit);
  return Promise.all(found.map((run) => asItStands(logs, run)));
}

/** The run with the state of each of its jobs. */
export async function asItStands(logs: JobLogs, run: Run): Promise<RunAsItStands> {
  const { organisationId, pipelineId, id: runId } = run;
  const jobs = run.jobs.map(({ name }) => logs.currentState({ organisationId, pipelineId, runId, jobName: name }));
  return { run, jobs: await Promise.all(jobs) };
}

import type { Page } from "@aiplatform/document-store";
import type { JobLogs } from "../job-log/job-logs.ts";
import type { JobSnapshot } from "../job-log/job-snapshot.ts";
import { PipelineNotFoundError } from "../pipelines/pipeline.ts";
import type { PipelineStore } from "../pipelines/pipeline-store.ts";
import { type Run, RunNotFoundError } from "./run.ts";
import type { RunStore, RunsQuery } from "./run-store.ts";

export interface ReadRunsDependencies {
  pipelines: PipelineStore;
  runs: RunStore;
  logs: JobLogs;
}

/** A run, with its jobs in the order declared. */
export interface RunWithJobs {
  run: Run;
  jobs: JobSnapshot[];
}

/**
 * The run, of that pipeline if one is named.
 * @throws RunNotFoundError
 */
export async function getRun(
  { runs, logs }: Pick<ReadRunsDependencies, "runs" | "logs">,
  organisationId: string,
  { runId, pipelineId }: { runId: string; pipelineId?: string | undefined },
): Promise<RunWithJobs> {
  const run = await runs.find(organisationId, runId);
  if (!run || (pipelineId !== undefined && run.pipelineId !== pipelineId)) throw new RunNotFoundError();
  return withJobs(logs, run);
}

/**
 * A page of the pipeline's runs, newest first.
 * @throws PipelineNotFoundError, InvalidCursorError
 */
export async function listRuns(
  { pipelines, runs, logs }: ReadRunsDependencies,
  organisationId: string,
  query: RunsQuery,
): Promise<Page<RunWithJobs>> {
  if (!(await pipelines.find(organisationId, query.pipelineId))) throw new PipelineNotFoundError();
  const { items, nextCursor } = await runs.ofPipeline(organisationId, query);
  return { items: await Promise.all(items.map((run) => withJobs(logs, run))), nextCursor };
}

/** Adds the present state of each job. */
export async function withJobs(logs: JobLogs, run: Run): Promise<RunWithJobs> {
  const { organisationId, pipelineId, id: runId } = run;
  const jobs = run.jobs.map(({ name }) => logs.currentState({ organisationId, pipelineId, runId, jobName: name }));
  return { run, jobs: await Promise.all(jobs) };
}

import type { Page } from "@aiplatform/document-store";
import type { ListPageRequest } from "@aiplatform/list-filter";
import type { JobLogs } from "../job-log/job-logs.ts";
import type { JobSnapshot } from "../job-log/job-snapshot.ts";
import { PipelineNotFoundError } from "../pipelines/pipeline.ts";
import type { PipelineStore } from "../pipelines/pipeline-store.ts";
import type { Run } from "./run.ts";
import type { RunAddress, RunStore } from "./run-store.ts";

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
  address: RunAddress,
): Promise<RunWithJobs> {
  return withJobs(logs, await runs.get(organisationId, address));
}

/**
 * A page of the pipeline's runs.
 * @throws PipelineNotFoundError, InvalidListRequestError, InvalidCursorError
 */
export async function listRuns(
  { pipelines, runs, logs }: ReadRunsDependencies,
  organisationId: string,
  { pipelineId, ...request }: ListPageRequest & { pipelineId: string; limit: number },
): Promise<Page<RunWithJobs>> {
  if (!(await pipelines.find(organisationId, pipelineId))) throw new PipelineNotFoundError();
  const { items, nextCursor } = await runs.list(organisationId, { pipelineId }, request);
  return { items: await Promise.all(items.map((run) => withJobs(logs, run))), nextCursor };
}

/**
 * A page of the organisation's runs.
 * @throws InvalidListRequestError, InvalidCursorError
 */
export async function listAllRuns(
  { runs, logs }: Pick<ReadRunsDependencies, "runs" | "logs">,
  organisationId: string,
  request: ListPageRequest & { limit: number },
): Promise<Page<RunWithJobs>> {
  const { items, nextCursor } = await runs.list(organisationId, "all", request);
  return { items: await Promise.all(items.map((run) => withJobs(logs, run))), nextCursor };
}

/** Adds the present state of each job. */
export async function withJobs(logs: JobLogs, run: Run): Promise<RunWithJobs> {
  const { organisationId, pipelineId, id: runId } = run;
  const jobs = run.jobs.map(({ name }) => logs.currentState({ organisationId, pipelineId, runId, jobName: name }));
  return { run, jobs: await Promise.all(jobs) };
}

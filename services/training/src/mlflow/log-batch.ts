import type { NewPoints, StoredPoints } from "../metric-points/send-metrics.ts";
import { type AddToRunDependencies, addToRun } from "../runs/add-to-run.ts";
import type { JobDirectory } from "../runs/job-directory.ts";
import { type LoggedMetric, metricColumns } from "./metric-columns.ts";
import { withParameters } from "./run-parameters.ts";
import { changeByTags } from "./run-tags.ts";

export interface LogBatchDependencies extends AddToRunDependencies {
  directory: Pick<JobDirectory, "get">;
  storePoints: (organisationId: string, points: NewPoints) => Promise<StoredPoints>;
}

/** What a script logs to a run. */
export interface LoggedBatch {
  runId: string;
  metrics: readonly LoggedMetric[];
  params: readonly { key: string; value: string }[];
  tags: readonly { key: string; value: string }[];
}

/**
 * Stores what is logged: parameters and tags in one transaction, then metrics on the way of all reports. Resolves when it is durable.
 * @throws RunNotFoundError, TooManyTagsError, ParameterChangedError, QuotaExceededError
 * @throws JobNotFoundError, RunArchivedError, PipelineArchivedError, AttachmentLostError, InvalidFieldsError
 */
export async function logBatch(
  dependencies: LogBatchDependencies,
  organisationId: string,
  { runId, metrics, params, tags }: LoggedBatch,
): Promise<void> {
  const { directory, storePoints } = dependencies;
  const { job } = await directory.get(organisationId, { runId });
  if (params.length + tags.length > 0) {
    const parameters = (known: string) => withParameters(known, params);
    await addToRun(dependencies, organisationId, { runId }, { ...changeByTags(tags, "tags"), parameters });
  }
  if (metrics.length === 0) return;
  const points = { address: { runId, jobName: job.name }, columns: metricColumns(metrics), field: "metrics" };
  await storePoints(organisationId, points);
}

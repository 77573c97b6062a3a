import { type HoldJobDependencies, holdJob } from "../metric-points/hold-job.ts";
import { type CreateRunDependencies, createRun } from "../runs/create-run.ts";
import { type JobDeclaration, type Run, tagsOf } from "../runs/run.ts";
import { type CreateExperimentDependencies, experimentOfNewRun } from "./create-experiment.ts";
import { experimentNamed } from "./experiment.ts";
import { changeByTags } from "./run-tags.ts";

export type CreateMlflowRunDependencies = CreateExperimentDependencies & CreateRunDependencies & HoldJobDependencies;

export interface NewMlflowRun {
  experimentId: string;
  /** Empty: what a tag says, or one that is made. */
  runName: string;
  tags: readonly { key: string; value: string }[];
}

/** Scripts give no sign of life between what they log, which may be rare. */
const silenceSeconds = 86_400;

/** The job of a run that a script reports. */
const scriptJob: JobDeclaration = {
  name: "mlflow",
  overrides: [],
  stallTimeoutSeconds: silenceSeconds,
  heartbeatTimeoutSeconds: silenceSeconds,
  leaseExpiryPolicy: "keep",
  configuration: "{}",
};

/** Creates a run with one job that is running. @throws PipelineNotFoundError, PipelineArchivedError, QuotaExceededError, TooManyTagsError */
export async function createMlflowRun(
  dependencies: CreateMlflowRunDependencies,
  organisationId: string,
  { experimentId, runName, tags }: NewMlflowRun,
): Promise<Run> {
  const { transaction, newId } = dependencies;
  const { name: namedByTag, notes = "", tags: named = {} } = changeByTags(tags, "tags");
  const name = runName || namedByTag || `run-${newId().slice(-8)}`;
  const { id: pipelineId } = await experimentOfNewRun(dependencies, organisationId, experimentNamed(experimentId));
  const said = { tags: tagsOf(named), notes, parameters: "{}" };
  const wanted = { pipelineId, name, jobs: [scriptJob], datasets: [], ...said };
  const run = await transaction((session) => createRun(dependencies, organisationId, wanted, session));
  await holdJob(dependencies, organisationId, { pipelineId, runId: run.id, jobName: scriptJob.name });
  return run;
}

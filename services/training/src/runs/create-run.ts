import type { ClientSession, Outbox } from "@aiplatform/document-store";
import { PipelineNotFoundError } from "../pipelines/pipeline.ts";
import type { PipelineStore } from "../pipelines/pipeline-store.ts";
import type { TrainingQuotas } from "../training-quotas.ts";
import { bytesOfJobs, type JobDeclaration, type Run } from "./run.ts";
import { runCreated } from "./run-events.ts";
import type { RunStore } from "./run-store.ts";

export interface CreateRunDependencies {
  pipelines: PipelineStore;
  runs: RunStore;
  quotas: TrainingQuotas;
  outbox: Pick<Outbox, "stage">;
  clock: () => Date;
  newId: () => string;
}

export interface NewRun {
  pipelineId: string;
  name: string;
  jobs: JobDeclaration[];
}

/** @throws PipelineNotFoundError, QuotaExceededError */
export async function createRun(
  { pipelines, runs, quotas, outbox, clock, newId }: CreateRunDependencies,
  organisationId: string,
  wanted: NewRun,
  session: ClientSession,
): Promise<Run> {
  if (!(await pipelines.find(organisationId, wanted.pipelineId))) throw new PipelineNotFoundError();
  await quotas.admit(organisationId, { runs: 1, run_configuration_bytes: bytesOfJobs(wanted.jobs) }, session);
  const run = { ...wanted, id: newId(), organisationId, createdAt: clock() };
  await runs.insert(organisationId, run, session);
  await outbox.stage(session, runCreated(run));
  return run;
}

import type { ClientSession, Outbox } from "@aiplatform/document-store";
import { PipelineArchivedError } from "../pipelines/pipeline.ts";
import type { PipelineStore } from "../pipelines/pipeline-store.ts";
import type { TrainingQuotas } from "../training-quotas.ts";
import { bytesOfRun, type Run } from "./run.ts";
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

export type NewRun = Pick<Run, "pipelineId" | "name" | "jobs" | "datasets" | "tags" | "notes" | "parameters">;

/** @throws PipelineNotFoundError, PipelineArchivedError, QuotaExceededError */
export async function createRun(
  { pipelines, runs, quotas, outbox, clock, newId }: CreateRunDependencies,
  organisationId: string,
  wanted: NewRun,
  session: ClientSession,
): Promise<Run> {
  await pipelines.get(organisationId, wanted.pipelineId);
  // The quota first: creations of one organisation take turns there, so that their claims do not conflict.
  await quotas.admit(organisationId, { runs: 1, run_configuration_bytes: bytesOfRun(wanted) }, session);
  const { archivedAt } = await pipelines.claim(organisationId, wanted.pipelineId, session);
  if (archivedAt) throw new PipelineArchivedError();
  const createdAt = clock();
  const run = { ...wanted, id: newId(), organisationId, createdAt, updatedAt: createdAt };
  await runs.insert(organisationId, run, session);
  await outbox.stage(session, runCreated(run));
  return run;
}

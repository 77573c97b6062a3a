import type { ClientSession, Outbox } from "@aiplatform/document-store";
import type { TrainingQuotas } from "../training-quotas.ts";
import type { Pipeline } from "./pipeline.ts";
import { pipelineCreated } from "./pipeline-events.ts";
import type { PipelineStore } from "./pipeline-store.ts";

export interface CreatePipelineDependencies {
  pipelines: PipelineStore;
  quotas: TrainingQuotas;
  outbox: Pick<Outbox, "stage">;
  clock: () => Date;
  newId: () => string;
}

/** @throws QuotaExceededError */
export async function createPipeline(
  { pipelines, quotas, outbox, clock, newId }: CreatePipelineDependencies,
  organisationId: string,
  { name, description, annotations }: Pick<Pipeline, "name" | "description" | "annotations">,
  session: ClientSession,
): Promise<Pipeline> {
  await quotas.admit(organisationId, { pipelines: 1 }, session);
  const createdAt = clock();
  const pipeline = { id: newId(), name, description, annotations, createdAt, updatedAt: createdAt };
  await pipelines.insert(organisationId, pipeline, session);
  await outbox.stage(session, pipelineCreated(organisationId, pipeline));
  return pipeline;
}

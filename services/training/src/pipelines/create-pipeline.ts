import type { ClientSession, Outbox } from "@aiplatform/document-store";
import type { Pipeline } from "./pipeline.ts";
import { pipelineCreated } from "./pipeline-events.ts";
import type { PipelineStore } from "./pipeline-store.ts";

export interface CreatePipelineDependencies {
  pipelines: PipelineStore;
  outbox: Pick<Outbox, "stage">;
  clock: () => Date;
  newId: () => string;
}

export async function createPipeline(
  { pipelines, outbox, clock, newId }: CreatePipelineDependencies,
  organisationId: string,
  { name }: Pick<Pipeline, "name">,
  session: ClientSession,
): Promise<Pipeline> {
  const pipeline = { id: newId(), name, createdAt: clock() };
  await pipelines.insert(organisationId, pipeline, session);
  await outbox.stage(session, pipelineCreated(organisationId, pipeline));
  return pipeline;
}

import { isDuplicateKey } from "@aiplatform/document-store";
import { IdTakenError } from "../errors.ts";
import { pipelineCreated } from "../events.ts";
import type { Staging } from "../staging.ts";
import type { Pipeline } from "./pipeline.ts";
import type { PipelineStore } from "./pipeline-store.ts";

/** What creating a pipeline needs. */
export interface CreatePipelineDependencies extends Staging {
  pipelines: PipelineStore;
  clock: () => Date;
  newId: () => string;
}

/**
 * Creates a pipeline. With an id of the caller's, a repeat answers the first one.
 * Throws IdTakenError when the id names something else.
 */
export async function createPipeline(
  { pipelines, outbox, transaction, clock, newId }: CreatePipelineDependencies,
  organisationId: string,
  wanted: { id?: string; name: string },
): Promise<Pipeline> {
  const pipeline = { id: wanted.id ?? newId(), name: wanted.name, createdAt: clock() };
  try {
    await transaction(async (session) => {
      await pipelines.insert(organisationId, pipeline, session);
      await outbox.stage(session, pipelineCreated(organisationId, pipeline));
    });
    return pipeline;
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
  }
  const earlier = await pipelines.find(organisationId, pipeline.id);
  if (earlier?.name !== pipeline.name) throw new IdTakenError(pipeline.id);
  return earlier;
}

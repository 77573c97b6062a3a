import type { Outbox } from "@aiplatform/document-store";
import type { DomainStores } from "@aiplatform/service-kit";
import { changedPipeline, type Pipeline, type PipelineChange } from "./pipeline.ts";
import { pipelineUpdated } from "./pipeline-events.ts";
import type { PipelineStore } from "./pipeline-store.ts";

export interface ChangePipelineDependencies extends Pick<DomainStores, "transaction"> {
  pipelines: PipelineStore;
  outbox: Pick<Outbox, "stage">;
  clock: () => Date;
}

/** Changes a pipeline; nothing is announced where nothing changes. @throws PipelineNotFoundError */
export function updatePipeline(
  { pipelines, outbox, transaction, clock }: ChangePipelineDependencies,
  organisationId: string,
  { pipelineId, ...change }: PipelineChange & { pipelineId: string },
): Promise<Pipeline> {
  return transaction(async (session) => {
    const pipeline = await pipelines.claim(organisationId, pipelineId, session);
    const changed = changedPipeline(pipeline, change, clock());
    if (changed === pipeline) return pipeline;
    await pipelines.update(organisationId, changed, session);
    await outbox.stage(session, pipelineUpdated(organisationId, changed));
    return changed;
  });
}

import { PipelineCreatedSchema } from "@aiplatform/contract/aiplatform/events/v1/training";
import type { ClientSession, DocumentStore } from "@aiplatform/document-store";
import { type Consumer, decodeEvent, type EventStream, eventSubject } from "@aiplatform/event-stream";
import type { IdentityDependencies } from "../dependencies.ts";
import { isKnownAs } from "./asset.ts";
import { upsertAssetProjection } from "./upsert-asset-projection.ts";

export interface PipelineDependencies extends Pick<IdentityDependencies, "assets" | "workspaceSettings" | "clock"> {
  stream: EventStream;
  store: DocumentStore;
}

/**
 * Projects training's pipelines as assets. What was registered here under the id becomes training's, datasets and
 * workspaces included. Nothing is announced: the pipeline's own event is the record of it.
 */
export function consumePipelines(dependencies: PipelineDependencies): Consumer {
  const { stream, store } = dependencies;
  return stream.consume({
    durable: "identity-pipelines",
    subjects: [eventSubject(PipelineCreatedSchema)],
    store,
    handler: ({ data }, session) => upsertPipeline(dependencies, data, session),
  });
}

async function upsertPipeline(
  dependencies: PipelineDependencies,
  data: Uint8Array,
  session: ClientSession,
): Promise<void> {
  const { organisationId, pipelineId: id, name } = decodeEvent(PipelineCreatedSchema, data);
  const known = await dependencies.assets.find(organisationId, id, session);
  const facts = { id, name, kind: "pipeline", datasetIds: known?.datasetIds ?? [], owner: "training" };
  if (known && isKnownAs(known, facts)) return;
  await upsertAssetProjection(dependencies, { organisationId, facts, known }, session);
}

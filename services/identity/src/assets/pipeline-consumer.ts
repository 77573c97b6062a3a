import {
  PipelineCreatedSchema,
  PipelineDeletedSchema,
  PipelineUpdatedSchema,
} from "@aiplatform/contract/aiplatform/events/v1/training";
import type { ClientSession, DocumentStore } from "@aiplatform/document-store";
import {
  type Consumer,
  decodeEvent,
  type EventStream,
  eventSubject,
  eventType,
  type ReceivedEvent,
} from "@aiplatform/event-stream";
import { type Timestamp, timestampDate } from "@bufbuild/protobuf/wkt";
import type { IdentityDependencies } from "../dependencies.ts";
import { AssetNotFoundError, isKnownAs } from "./asset.ts";
import { removeAssetProjection } from "./remove-asset-projection.ts";
import { upsertAssetProjection } from "./upsert-asset-projection.ts";

export interface PipelineDependencies
  extends Pick<IdentityDependencies, "assets" | "memberships" | "workspaces" | "workspaceSettings" | "clock"> {
  stream: EventStream;
  store: DocumentStore;
}

const heard = [PipelineCreatedSchema, PipelineUpdatedSchema, PipelineDeletedSchema];

type Told = { organisationId: string; pipelineId: string; name: string; at: Timestamp | undefined };

/**
 * Projects training's pipelines as assets, until they are deleted. What was registered here under the id becomes training's, datasets
 * and workspaces included. Nothing is announced: the pipeline's own events are the record of it.
 */
export function consumePipelines(dependencies: PipelineDependencies): Consumer {
  const { stream, store } = dependencies;
  return stream.consume({
    durable: "identity-pipelines",
    subjects: heard.map((schema) => eventSubject(schema)),
    store,
    handler: (event, session) => handle(dependencies, event, session),
  });
}

function handle(dependencies: PipelineDependencies, { type, data }: ReceivedEvent, session: ClientSession) {
  if (type === eventType(PipelineDeletedSchema)) return removePipeline(dependencies, data, session);
  if (type === eventType(PipelineUpdatedSchema)) {
    const { updatedAt: at, ...told } = decodeEvent(PipelineUpdatedSchema, data);
    return putPipeline(dependencies, { ...told, at }, { isNew: false, session });
  }
  const { createdAt: at, ...told } = decodeEvent(PipelineCreatedSchema, data);
  return putPipeline(dependencies, { ...told, at }, { isNew: true, session });
}

/** Events of a pipeline may come in another order than they happened: the newest name stays. */
async function putPipeline(
  dependencies: PipelineDependencies,
  { organisationId, pipelineId: id, name, at }: Told,
  { isNew, session }: { isNew: boolean; session: ClientSession },
): Promise<void> {
  const known = await dependencies.assets.find(organisationId, id, session);
  // Its creation is still to come, and would bring back the former name. This event is tried again.
  if (!known && !isNew) throw new AssetNotFoundError(id);
  const toldAt = at && timestampDate(at);
  if (known?.toldAt && toldAt && known.toldAt > toldAt) return;
  const facts = { id, name, kind: "pipeline", datasetIds: known?.datasetIds ?? [], owner: "training", toldAt };
  if (known && isKnownAs(known, facts)) return;
  await upsertAssetProjection(dependencies, { organisationId, facts, known }, session);
}

async function removePipeline(
  dependencies: PipelineDependencies,
  data: Uint8Array,
  session: ClientSession,
): Promise<void> {
  const { organisationId, pipelineId } = decodeEvent(PipelineDeletedSchema, data);
  const known = await dependencies.assets.find(organisationId, pipelineId, session);
  // Its creation is redelivered later: without a failure here the asset would stay for ever. This event is tried again.
  if (!known) throw new AssetNotFoundError(pipelineId);
  await removeAssetProjection(dependencies, known, dependencies.clock(), session);
}

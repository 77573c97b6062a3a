import { DatasetCreatedSchema, DatasetDeletedSchema } from "@aiplatform/contract/aiplatform/events/v1/content";
import type { ClientSession, DocumentStore } from "@aiplatform/document-store";
import {
  type Consumer,
  decodeEvent,
  type EventStream,
  eventSubject,
  eventType,
  type ReceivedEvent,
} from "@aiplatform/event-stream";
import type { IdentityDependencies } from "../dependencies.ts";
import { AssetNotFoundError, isKnownAs } from "./asset.ts";
import { removeAssetProjection } from "./remove-asset-projection.ts";
import { upsertAssetProjection } from "./upsert-asset-projection.ts";

export interface DatasetDependencies
  extends Pick<IdentityDependencies, "assets" | "memberships" | "workspaces" | "workspaceSettings" | "clock"> {
  stream: EventStream;
  store: DocumentStore;
}

/**
 * Projects content's datasets as assets, until they are deleted. What was registered here under the id becomes content's.
 * Nothing is announced: the dataset's own events are the record of it.
 */
export function consumeDatasets(dependencies: DatasetDependencies): Consumer {
  const { stream, store } = dependencies;
  return stream.consume({
    durable: "identity-datasets",
    // One consumer for both: it delivers them in the order in which they happened.
    subjects: [eventSubject(DatasetCreatedSchema), eventSubject(DatasetDeletedSchema)],
    store,
    handler: (event, session) =>
      event.type === eventType(DatasetDeletedSchema)
        ? removeDataset(dependencies, event, session)
        : upsertDataset(dependencies, event, session),
  });
}

async function upsertDataset(
  dependencies: DatasetDependencies,
  { data }: ReceivedEvent,
  session: ClientSession,
): Promise<void> {
  const { organisationId, datasetId: id, name } = decodeEvent(DatasetCreatedSchema, data);
  const known = await dependencies.assets.find(organisationId, id, session);
  const facts = { id, name, kind: "dataset", datasetIds: [id], owner: "content" };
  if (known && isKnownAs(known, facts)) return;
  await upsertAssetProjection(dependencies, { organisationId, facts, known }, session);
}

async function removeDataset(
  dependencies: DatasetDependencies,
  { data }: ReceivedEvent,
  session: ClientSession,
): Promise<void> {
  const { organisationId, datasetId } = decodeEvent(DatasetDeletedSchema, data);
  const known = await dependencies.assets.find(organisationId, datasetId, session);
  // Its creation is redelivered later: without a failure here the asset would stay for ever. This event is tried again.
  if (!known) throw new AssetNotFoundError(datasetId);
  await removeAssetProjection(dependencies, known, dependencies.clock(), session);
}

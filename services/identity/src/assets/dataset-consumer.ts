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
import { forgetAsset } from "./forget-asset.ts";
import { learnOfAsset } from "./learn-of-asset.ts";

/** What the consumer needs. */
export interface DatasetDependencies
  extends Pick<IdentityDependencies, "assets" | "memberships" | "workspaces" | "workspaceSettings" | "clock"> {
  stream: EventStream;
  store: DocumentStore;
}

/**
 * Knows each dataset as an asset of content's, until it is deleted. What was registered here under its id becomes content's.
 * Nothing is announced: the dataset's own events are the record of it.
 */
export function consumeDatasets(dependencies: DatasetDependencies): Consumer {
  const { stream, store } = dependencies;
  return stream.consume({
    durable: "identity-datasets",
    // One consumer for both: it hands them on in the order in which they happened.
    subjects: [eventSubject(DatasetCreatedSchema), eventSubject(DatasetDeletedSchema)],
    store,
    handler: (event, session) =>
      event.type === eventType(DatasetDeletedSchema)
        ? forgetDataset(dependencies, event, session)
        : knowDataset(dependencies, event, session),
  });
}

async function knowDataset(
  dependencies: DatasetDependencies,
  { data }: ReceivedEvent,
  session: ClientSession,
): Promise<void> {
  const { organisationId, datasetId: id, name } = decodeEvent(DatasetCreatedSchema, data);
  const known = await dependencies.assets.find(organisationId, id, session);
  const facts = { id, name, kind: "dataset", datasetIds: [id], owner: "content" };
  if (known && isKnownAs(known, facts)) return;
  await learnOfAsset(dependencies, { organisationId, facts, known }, session);
}

async function forgetDataset(
  dependencies: DatasetDependencies,
  { data }: ReceivedEvent,
  session: ClientSession,
): Promise<void> {
  const { organisationId, datasetId } = decodeEvent(DatasetDeletedSchema, data);
  const known = await dependencies.assets.find(organisationId, datasetId, session);
  // Its creation has stepped aside and comes later: forgetting it now would let it stay for ever. This event is tried again.
  if (!known) throw new AssetNotFoundError(datasetId);
  await forgetAsset(dependencies, known, dependencies.clock(), session);
}

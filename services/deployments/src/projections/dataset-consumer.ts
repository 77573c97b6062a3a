import { DatasetCreatedSchema, DatasetDeletedSchema } from "@aiplatform/contract/aiplatform/events/v1/content";
import type { DocumentStore } from "@aiplatform/document-store";
import { type Consumer, decodeEvent, type EventStream, eventSubject, eventType } from "@aiplatform/event-stream";
import type { KnownDatasetStore } from "./known-dataset-store.ts";

/** The event of the dataset's creation has not come yet. */
class DatasetUnknownError extends Error {
  override name = "DatasetUnknownError";
}

export function consumeDatasets({
  stream,
  store,
  knownDatasets,
}: {
  stream: EventStream;
  store: DocumentStore;
  knownDatasets: KnownDatasetStore;
}): Consumer {
  return stream.consume({
    durable: "deployments-datasets",
    // One consumer for both: it hands them on in the order in which they happened.
    subjects: [eventSubject(DatasetCreatedSchema), eventSubject(DatasetDeletedSchema)],
    store,
    handler: async ({ type, data, attempt }, session) => {
      if (type === eventType(DatasetCreatedSchema)) {
        const { organisationId, datasetId } = decodeEvent(DatasetCreatedSchema, data);
        return knownDatasets.add(organisationId, datasetId, session);
      }
      const { organisationId, datasetId } = decodeEvent(DatasetDeletedSchema, data);
      const wasKnown = await knownDatasets.remove(organisationId, datasetId, session);
      // Its creation may have stepped aside: what comes after this would stay for ever. One older than the stream never comes.
      if (!wasKnown && attempt < 4) throw new DatasetUnknownError(`nothing is known of the dataset ${datasetId} yet`);
    },
  });
}

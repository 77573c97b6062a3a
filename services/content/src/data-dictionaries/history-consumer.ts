import { DatasetDeletedSchema } from "@aiplatform/contract/aiplatform/events/v1/content";
import { type Consumer, decodeEvent, type EventStream, eventSubject } from "@aiplatform/event-stream";
import type { ChangeStore } from "./change-store.ts";

/** Forgets the history of dictionaries whose dataset is gone; callers can no longer read it. */
export function forgetHistories({
  stream,
  entryChanges,
}: { entryChanges: ChangeStore } & { stream: EventStream }): Consumer {
  return stream.consumeBatches({
    durable: "content-forgotten-histories",
    subjects: [eventSubject(DatasetDeletedSchema)],
    // One at a time: a history may be long.
    maxBatch: 1,
    handler: async (events) => {
      for (const { data } of events) {
        const { organisationId, datasetId } = decodeEvent(DatasetDeletedSchema, data);
        await entryChanges.forget(organisationId, datasetId);
      }
    },
  });
}

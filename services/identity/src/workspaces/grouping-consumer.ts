import { WorkspaceGroupingRequestedSchema } from "@aiplatform/contract/aiplatform/events/v1/identity";
import type { DocumentStore } from "@aiplatform/document-store";
import { type Consumer, type EventStream, eventSubject } from "@aiplatform/event-stream";

interface Dependencies {
  stream: EventStream;
  store: DocumentStore;
  worker: { wake(): void };
}

/** Has a requested run executed at once, by any replica. Without the event it waits for a worker's next look. */
export function consumeGroupingRequests({ stream, store, worker }: Dependencies): Consumer {
  return stream.consume({
    durable: "identity-grouping",
    subjects: [eventSubject(WorkspaceGroupingRequestedSchema)],
    store,
    handler: async () => worker.wake(),
  });
}

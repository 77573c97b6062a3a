import { RunDeletedSchema } from "@aiplatform/contract/aiplatform/events/v1/training";
import type { DocumentStore } from "@aiplatform/document-store";
import { type Consumer, decodeEvent, type EventStream, eventSubject } from "@aiplatform/event-stream";
import type { RunFileStore } from "./run-file-store.ts";

interface Dependencies {
  stream: EventStream;
  store: DocumentStore;
  runFiles: Pick<RunFileStore, "removeRun">;
}

/** Removes the files of deleted runs. Their bytes stay: other files, versions and deployments may have the same. */
export function consumeDeletedRuns({ stream, store, runFiles }: Dependencies): Consumer {
  return stream.consume({
    durable: "deployments-deleted-runs",
    subjects: [eventSubject(RunDeletedSchema)],
    store,
    handler: ({ data }, session) => {
      const { organisationId, runId } = decodeEvent(RunDeletedSchema, data);
      return runFiles.removeRun(organisationId, runId, session);
    },
  });
}

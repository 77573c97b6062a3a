import type { ClientSession } from "@aiplatform/document-store";
import type { DomainPlatform } from "@aiplatform/service-kit";
import type { DatasetRef } from "../dataset-versions/dataset-version.ts";
import { exportEnded } from "./embedding-events.ts";
import type { EmbeddingStore } from "./embedding-store.ts";

interface Dependencies extends Pick<DomainPlatform, "outbox"> {
  embeddings: Pick<EmbeddingStore, "exportsUnderWay">;
}

/** Records the end of what is sent to endpoints of a dataset, or of one version, before its embeddings go. */
export function exportEnding({ embeddings, outbox }: Dependencies) {
  return async (
    which: DatasetRef & { versionId?: string },
    { now, session }: { now: Date; session: ClientSession },
  ): Promise<void> => {
    for (const embedding of await embeddings.exportsUnderWay(which, session)) {
      await outbox.stage(session, exportEnded(embedding, "purging", now));
    }
  };
}

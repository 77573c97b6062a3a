import type { DomainPlatform } from "@aiplatform/service-kit";
import { type Embedding, EmbeddingMoveError, type EmbeddingRef } from "./embedding.ts";
import { embeddingCancelled } from "./embedding-events.ts";
import type { EmbeddingPartStore } from "./embedding-part-store.ts";
import type { EmbeddingStore } from "./embedding-store.ts";

export interface CancelEmbeddingDependencies extends Pick<DomainPlatform, "outbox" | "transaction" | "clock"> {
  embeddings: EmbeddingStore;
  parts: EmbeddingPartStore;
}

/** Ends an embedding before it is ready; its vectors go. Again it changes nothing. @throws EmbeddingNotFoundError, EmbeddingMoveError */
export function cancelEmbedding(
  { embeddings, parts, outbox, transaction, clock }: CancelEmbeddingDependencies,
  ref: EmbeddingRef,
): Promise<Embedding> {
  return transaction(async (session) => {
    const embedding = await embeddings.get(ref, session);
    const now = clock();
    if (!(await embeddings.cancel(ref, { now, session }))) {
      if (embedding.state === "cancelled") return embedding;
      throw new EmbeddingMoveError(embedding.state);
    }
    await parts.removeAll(embedding, session);
    await outbox.stage(session, embeddingCancelled(embedding, now));
    return await embeddings.get(ref, session);
  });
}

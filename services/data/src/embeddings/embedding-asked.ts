import { type DatasetRef, DatasetVersionNotFoundError } from "../dataset-versions/dataset-version.ts";
import type { DatasetVersionStore } from "../dataset-versions/version-store.ts";
import { assertEmbedded, type Embedding, EmbeddingNotReadyError, type ReadyEmbedding } from "./embedding.ts";
import type { EmbeddingStore } from "./embedding-store.ts";

export interface AskedDependencies {
  versions: Pick<DatasetVersionStore, "has">;
  embeddings: Pick<EmbeddingStore, "newestReady" | "ofDataset">;
}

/**
 * The embedding that a request is about: the named one, or the newest of the dataset that is ready.
 * @throws EmbeddingNotFoundError, EmbeddingNotReadyError, DatasetVersionNotFoundError for a dataset that has no version here
 */
export async function embeddingAsked(
  { versions, embeddings }: AskedDependencies,
  dataset: DatasetRef,
  embeddingId: string | undefined,
): Promise<ReadyEmbedding> {
  const embedding: Embedding | undefined = embeddingId
    ? await embeddings.ofDataset(dataset, embeddingId)
    : await embeddings.newestReady(dataset);
  if (!embedding) {
    if (!(await versions.has(dataset))) throw new DatasetVersionNotFoundError(dataset.datasetId);
    throw new EmbeddingNotReadyError();
  }
  assertEmbedded(embedding);
  return embedding;
}

import {
  type DatasetEmbedding as DatasetEmbeddingMessage,
  DatasetEmbeddingSchema,
  DatasetEmbeddingState,
  DatasetVectorMetric,
} from "@aiplatform/contract/aiplatform/data/v1/dataset_embeddings";
import type { VectorMetric } from "@aiplatform/data-engine";
import { create } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { Embedding, EmbeddingRecipe } from "./embedding.ts";
import type { EmbeddingState } from "./embedding-state.ts";

export const metrics: Readonly<Record<DatasetVectorMetric, VectorMetric>> = {
  [DatasetVectorMetric.UNSPECIFIED]: "cosine",
  [DatasetVectorMetric.COSINE]: "cosine",
  [DatasetVectorMetric.L2]: "l2",
  [DatasetVectorMetric.DOT]: "dot",
};

const metricMessages: Readonly<Record<VectorMetric, DatasetVectorMetric>> = {
  cosine: DatasetVectorMetric.COSINE,
  l2: DatasetVectorMetric.L2,
  dot: DatasetVectorMetric.DOT,
};

const stateMessages: Readonly<Record<EmbeddingState, DatasetEmbeddingState>> = {
  pending: DatasetEmbeddingState.PENDING,
  embedding: DatasetEmbeddingState.EMBEDDING,
  ready: DatasetEmbeddingState.READY,
  failed: DatasetEmbeddingState.FAILED,
  cancelled: DatasetEmbeddingState.CANCELLED,
  purging: DatasetEmbeddingState.PURGING,
};

export function embeddingMessage(embedding: Embedding): DatasetEmbeddingMessage {
  const { problem, data, search, createdAt, updatedAt } = embedding;
  return create(DatasetEmbeddingSchema, {
    ...{ id: embedding.id, organisationId: embedding.organisationId },
    ...{ datasetId: embedding.datasetId, versionId: embedding.versionId },
    state: stateMessages[embedding.state],
    recipe: recipeMessage(embedding.recipe),
    ...(embedding.deploymentVersionId && { deploymentVersionId: embedding.deploymentVersionId }),
    dimensions: embedding.dimensions ?? 0,
    rowCount: BigInt(embedding.rowCount),
    embeddedRows: BigInt(embedding.embeddedRows),
    reusedRows: BigInt(embedding.reusedRows),
    sizeBytes: BigInt((data?.sizeBytes ?? 0) + (search?.sizeBytes ?? 0)),
    ...(problem && { problem }),
    createdAt: timestampFromDate(createdAt),
    updatedAt: timestampFromDate(updatedAt),
  });
}

function recipeMessage({ maker: { kind: _, ...by }, row, metric }: EmbeddingRecipe) {
  const said =
    row.kind === "template" ? { template: row.template, scale: 1 } : { column: row.column, scale: row.scale };
  return { ...by, ...said, metric: metricMessages[metric] };
}

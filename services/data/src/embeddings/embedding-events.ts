import {
  DatasetEmbeddingCancelledSchema,
  DatasetEmbeddingCreatedSchema,
  DatasetEmbeddingFailedSchema,
  DatasetEmbeddingReadySchema,
} from "@aiplatform/contract/aiplatform/events/v1/data";
import type { OutboxRecord } from "@aiplatform/document-store";
import { eventRecord } from "@aiplatform/event-stream";
import { create } from "@bufbuild/protobuf";
import type { Embedding } from "./embedding.ts";

export function embeddingCreated(embedding: Embedding, time: Date): OutboxRecord {
  const message = create(DatasetEmbeddingCreatedSchema, named(embedding));
  return eventRecord(DatasetEmbeddingCreatedSchema, message, factsOf(embedding, time));
}

export function embeddingReady(embedding: Embedding, dimensions: number, time: Date): OutboxRecord {
  const sizes = { rowCount: BigInt(embedding.rowCount), dimensions };
  const message = create(DatasetEmbeddingReadySchema, { ...named(embedding), ...sizes });
  return eventRecord(DatasetEmbeddingReadySchema, message, factsOf(embedding, time));
}

export function embeddingFailed(embedding: Embedding, time: Date): OutboxRecord {
  const message = create(DatasetEmbeddingFailedSchema, named(embedding));
  return eventRecord(DatasetEmbeddingFailedSchema, message, factsOf(embedding, time));
}

export function embeddingCancelled(embedding: Embedding, time: Date): OutboxRecord {
  const message = create(DatasetEmbeddingCancelledSchema, named(embedding));
  return eventRecord(DatasetEmbeddingCancelledSchema, message, factsOf(embedding, time));
}

function named({ id: datasetEmbeddingId, organisationId, datasetId, versionId, recipe }: Embedding) {
  const { deploymentId } = recipe;
  return { organisationId, datasetId, datasetVersionId: versionId, datasetEmbeddingId, deploymentId };
}

function factsOf({ id: entityId, organisationId }: Embedding, time: Date) {
  return { organisationId, entityId, time };
}

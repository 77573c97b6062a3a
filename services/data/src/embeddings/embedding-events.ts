import {
  DatasetEmbeddingCancelledSchema,
  DatasetEmbeddingCreatedSchema,
  DatasetEmbeddingExportEndedSchema,
  DatasetEmbeddingFailedSchema,
  DatasetEmbeddingReadySchema,
} from "@aiplatform/contract/aiplatform/events/v1/data";
import type { OutboxRecord } from "@aiplatform/document-store";
import { eventRecord } from "@aiplatform/event-stream";
import { create } from "@bufbuild/protobuf";
import { causeOf } from "../dataset-versions/version-events.ts";
import type { Embedding } from "./embedding.ts";
import type { EmbeddingState } from "./embedding-state.ts";
import { columnsOfInput } from "./row-inputs.ts";

export function embeddingCreated(embedding: Embedding, time: Date): OutboxRecord {
  const rows = { rowCount: embedding.rowCount };
  const message = create(DatasetEmbeddingCreatedSchema, { ...named(embedding), ...sentTo(embedding), ...rows });
  return eventRecord(DatasetEmbeddingCreatedSchema, message, factsOf(embedding, time));
}

export function embeddingReady(embedding: Embedding, dimensions: number, time: Date): OutboxRecord {
  const sizes = { rowCount: BigInt(embedding.rowCount), dimensions };
  const message = create(DatasetEmbeddingReadySchema, { ...named(embedding), ...sizes });
  return eventRecord(DatasetEmbeddingReadySchema, message, { ...factsOf(embedding, time), cause: causeOf(embedding) });
}

export function embeddingFailed(embedding: Embedding, time: Date): OutboxRecord {
  const message = create(DatasetEmbeddingFailedSchema, named(embedding));
  return eventRecord(DatasetEmbeddingFailedSchema, message, { ...factsOf(embedding, time), cause: causeOf(embedding) });
}

export function embeddingCancelled(embedding: Embedding, time: Date): OutboxRecord {
  const rows = { sentRows: sentRows(embedding) };
  const message = create(DatasetEmbeddingCancelledSchema, { ...named(embedding), ...sentTo(embedding), ...rows });
  return eventRecord(DatasetEmbeddingCancelledSchema, message, factsOf(embedding, time));
}

/** Nothing more is sent for the embedding, which is by an endpoint. It is told in the name of who created it. */
export function exportEnded(embedding: Embedding, state: EmbeddingState, time: Date): OutboxRecord {
  const { deploymentId: _, ...which } = named(embedding);
  const what = { ...which, ...sentTo(embedding), sentRows: sentRows(embedding), state };
  const { memberId, credentialId = "" } = embedding.creator ?? {};
  const cause = { ...(memberId !== undefined && { memberId }), credentialId };
  const facts = { ...factsOf(embedding, time), cause };
  return eventRecord(DatasetEmbeddingExportEndedSchema, create(DatasetEmbeddingExportEndedSchema, what), facts);
}

function named({ id: datasetEmbeddingId, organisationId, datasetId, versionId, recipe: { maker } }: Embedding) {
  const deploymentId = maker.kind === "deployment" ? maker.deploymentId : "";
  return { organisationId, datasetId, datasetVersionId: versionId, datasetEmbeddingId, deploymentId };
}

function sentTo({ recipe: { maker, row } }: Embedding) {
  const { endpoint, model } = maker.kind === "endpoint" ? maker : { endpoint: "", model: "" };
  return { endpoint, model, columns: columnsOfInput(row) };
}

/** Each counted once. Those whose answer was not stored may have been sent. */
function sentRows({ embeddedRows, reusedRows, sendingRows }: Embedding): number {
  return embeddedRows - reusedRows + sendingRows;
}

function factsOf({ id: entityId, organisationId }: Embedding, time: Date) {
  return { organisationId, entityId, time };
}

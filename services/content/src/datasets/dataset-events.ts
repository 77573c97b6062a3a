import {
  DatasetColumnsInferredSchema,
  DatasetCreatedSchema,
  DatasetDeletedSchema,
  DatasetSensitiveColumnsSetSchema,
} from "@aiplatform/contract/aiplatform/events/v1/content";
import type { OutboxRecord } from "@aiplatform/document-store";
import { eventRecord } from "@aiplatform/event-stream";
import { create } from "@bufbuild/protobuf";
import type { Dataset } from "./dataset.ts";

export function datasetCreated({ id, organisationId, name }: Dataset, time: Date): OutboxRecord {
  const message = create(DatasetCreatedSchema, { organisationId, datasetId: id, name });
  return eventRecord(DatasetCreatedSchema, message, { organisationId, entityId: id, time });
}

export function datasetColumnsInferred({ id, organisationId }: Dataset, time: Date): OutboxRecord {
  const message = create(DatasetColumnsInferredSchema, { organisationId, datasetId: id });
  return eventRecord(DatasetColumnsInferredSchema, message, { organisationId, entityId: id, time });
}

export function datasetSensitiveColumnsSet(
  { id, organisationId, sensitiveColumns: columns }: Dataset,
  time: Date,
): OutboxRecord {
  const message = create(DatasetSensitiveColumnsSetSchema, { organisationId, datasetId: id, columns });
  return eventRecord(DatasetSensitiveColumnsSetSchema, message, { organisationId, entityId: id, time });
}

export function datasetDeleted({ id, organisationId }: Dataset, time: Date): OutboxRecord {
  const message = create(DatasetDeletedSchema, { organisationId, datasetId: id });
  return eventRecord(DatasetDeletedSchema, message, { organisationId, entityId: id, time });
}

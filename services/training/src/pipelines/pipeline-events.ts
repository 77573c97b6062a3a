import {
  PipelineArchivedSchema,
  PipelineCreatedSchema,
  PipelineDeletedSchema,
  PipelineRestoredSchema,
  PipelineUpdatedSchema,
} from "@aiplatform/contract/aiplatform/events/v1/training";
import type { OutboxRecord } from "@aiplatform/document-store";
import { eventRecord } from "@aiplatform/event-stream";
import { create } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { Pipeline } from "./pipeline.ts";

export function pipelineCreated(organisationId: string, { id, name, createdAt: time }: Pipeline): OutboxRecord {
  const fields = { organisationId, pipelineId: id, name, createdAt: timestampFromDate(time) };
  const message = create(PipelineCreatedSchema, fields);
  return eventRecord(PipelineCreatedSchema, message, { organisationId, entityId: id, time });
}

export function pipelineUpdated(organisationId: string, { id, name, updatedAt: time }: Pipeline): OutboxRecord {
  const fields = { organisationId, pipelineId: id, name, updatedAt: timestampFromDate(time) };
  const message = create(PipelineUpdatedSchema, fields);
  return eventRecord(PipelineUpdatedSchema, message, { organisationId, entityId: id, time });
}

export function pipelineArchived(organisationId: string, { id }: Pipeline, time: Date): OutboxRecord {
  const fields = { organisationId, pipelineId: id, archivedAt: timestampFromDate(time) };
  const message = create(PipelineArchivedSchema, fields);
  return eventRecord(PipelineArchivedSchema, message, { organisationId, entityId: id, time });
}

export function pipelineRestored(organisationId: string, { id }: Pipeline, time: Date): OutboxRecord {
  const fields = { organisationId, pipelineId: id, restoredAt: timestampFromDate(time) };
  const message = create(PipelineRestoredSchema, fields);
  return eventRecord(PipelineRestoredSchema, message, { organisationId, entityId: id, time });
}

export function pipelineDeleted(organisationId: string, { id }: Pipeline, time: Date): OutboxRecord {
  const fields = { organisationId, pipelineId: id, deletedAt: timestampFromDate(time) };
  const message = create(PipelineDeletedSchema, fields);
  return eventRecord(PipelineDeletedSchema, message, { organisationId, entityId: id, time });
}

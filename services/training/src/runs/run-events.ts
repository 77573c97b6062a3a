import {
  RunArchivedSchema,
  RunCreatedSchema,
  RunDeletedSchema,
  RunRestoredSchema,
  RunUpdatedSchema,
} from "@aiplatform/contract/aiplatform/events/v1/training";
import type { OutboxRecord } from "@aiplatform/document-store";
import { eventRecord } from "@aiplatform/event-stream";
import { create } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { Run } from "./run.ts";

export function runCreated({ id, organisationId, pipelineId, jobs, createdAt: time }: Run): OutboxRecord {
  const jobNames = jobs.map(({ name }) => name);
  const fields = { organisationId, pipelineId, runId: id, jobNames, createdAt: timestampFromDate(time) };
  const message = create(RunCreatedSchema, fields);
  return eventRecord(RunCreatedSchema, message, { organisationId, entityId: id, time });
}

export function runDeleted({ id, organisationId, pipelineId }: Run, time: Date): OutboxRecord {
  const fields = { organisationId, pipelineId, runId: id, deletedAt: timestampFromDate(time) };
  const message = create(RunDeletedSchema, fields);
  return eventRecord(RunDeletedSchema, message, { organisationId, entityId: id, time });
}

export function runUpdated({ id, organisationId, pipelineId, updatedAt: time }: Run): OutboxRecord {
  const fields = { organisationId, pipelineId, runId: id, updatedAt: timestampFromDate(time) };
  const message = create(RunUpdatedSchema, fields);
  return eventRecord(RunUpdatedSchema, message, { organisationId, entityId: id, time });
}

export function runArchived({ id, organisationId, pipelineId, updatedAt: time }: Run): OutboxRecord {
  const fields = { organisationId, pipelineId, runId: id, archivedAt: timestampFromDate(time) };
  const message = create(RunArchivedSchema, fields);
  return eventRecord(RunArchivedSchema, message, { organisationId, entityId: id, time });
}

export function runRestored({ id, organisationId, pipelineId, updatedAt: time }: Run): OutboxRecord {
  const fields = { organisationId, pipelineId, runId: id, restoredAt: timestampFromDate(time) };
  const message = create(RunRestoredSchema, fields);
  return eventRecord(RunRestoredSchema, message, { organisationId, entityId: id, time });
}

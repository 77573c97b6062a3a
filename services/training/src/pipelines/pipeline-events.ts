import { PipelineCreatedSchema } from "@aiplatform/contract/aiplatform/events/v1/training";
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

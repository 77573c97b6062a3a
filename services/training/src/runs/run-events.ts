import { RunCreatedSchema } from "@aiplatform/contract/aiplatform/events/v1/training";
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

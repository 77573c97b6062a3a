import { PipelineCreatedSchema, RunCreatedSchema } from "@aiplatform/contract/aiplatform/events/v1/training";
import type { OutboxRecord } from "@aiplatform/document-store";
import { eventRecord } from "@aiplatform/event-stream";
import { create } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { Pipeline } from "./pipelines/pipeline.ts";
import type { Run } from "./runs/run.ts";

/** The pipeline exists. */
export function pipelineCreated(organisationId: string, { id, name, createdAt: time }: Pipeline): OutboxRecord {
  const fields = { organisationId, pipelineId: id, name, createdAt: timestampFromDate(time) };
  const message = create(PipelineCreatedSchema, fields);
  return eventRecord(PipelineCreatedSchema, message, { organisationId, entityId: id, time });
}

/** The run exists; its jobs are queued. */
export function runCreated({ id, organisationId, pipelineId, jobs, createdAt: time }: Run): OutboxRecord {
  const jobNames = jobs.map(({ name }) => name);
  const fields = { organisationId, pipelineId, runId: id, jobNames, createdAt: timestampFromDate(time) };
  const message = create(RunCreatedSchema, fields);
  return eventRecord(RunCreatedSchema, message, { organisationId, entityId: id, time });
}

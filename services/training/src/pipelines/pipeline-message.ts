import { type Pipeline as PipelineMessage, PipelineSchema } from "@aiplatform/contract/aiplatform/training/v1/runs";
import { create } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { Pipeline } from "./pipeline.ts";

export function pipelineMessage(pipeline: Pipeline): PipelineMessage {
  const { id, name, description, annotations, createdAt, updatedAt, archivedAt } = pipeline;
  return create(PipelineSchema, {
    ...{ id, name, description, annotations: { text: annotations } },
    createdAt: timestampFromDate(createdAt),
    updatedAt: timestampFromDate(updatedAt),
    ...(archivedAt ? { archivedAt: timestampFromDate(archivedAt) } : {}),
  });
}

import { type Pipeline as PipelineMessage, PipelineSchema } from "@aiplatform/contract/aiplatform/training/v1/runs";
import { create } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { Pipeline } from "./pipeline.ts";

export function pipelineMessage({ createdAt, ...pipeline }: Pipeline): PipelineMessage {
  return create(PipelineSchema, { ...pipeline, createdAt: timestampFromDate(createdAt) });
}

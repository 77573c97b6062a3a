import {
  type Model as ModelMessage,
  ModelSchema,
  type ModelVersion as ModelVersionMessage,
  ModelVersionSchema,
  ModelVersionStatus as Statuses,
} from "@aiplatform/contract/aiplatform/deployments/v1/models";
import { create } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { Model } from "./model.ts";
import type { ModelVersion, ModelVersionStatus } from "./model-version.ts";

export const modelVersionStatuses: Readonly<Record<ModelVersionStatus, Statuses>> = {
  pending: Statuses.PENDING,
  ready: Statuses.READY,
  failed: Statuses.FAILED,
};

export function modelMessage({
  pipelineId,
  newestReadyVersionId,
  createdAt,
  updatedAt,
  ...model
}: Model): ModelMessage {
  return create(ModelSchema, {
    ...model,
    ...(pipelineId === undefined ? {} : { pipelineId }),
    ...(newestReadyVersionId === undefined ? {} : { newestReadyVersionId }),
    createdAt: timestampFromDate(createdAt),
    updatedAt: timestampFromDate(updatedAt),
  });
}

/** A version as clients see it, with the deployments that serve it where that is asked. */
export function modelVersionMessage(
  { id, modelId, number, format, artifactSha256, ...version }: ModelVersion,
  deploymentIds: string[] = [],
): ModelVersionMessage {
  const { statusDetail, source } = version;
  const { checkpointId, ...from } = source ?? {};
  return create(ModelVersionSchema, {
    ...{ id, modelId, number, format, artifactSha256, deploymentIds },
    status: modelVersionStatuses[version.status],
    ...(statusDetail === undefined ? {} : { statusDetail }),
    sizeBytes: BigInt(version.sizeBytes),
    ...(source && { source: { ...from, ...(checkpointId === undefined ? {} : { checkpointId }) } }),
    createdAt: timestampFromDate(version.createdAt),
  });
}

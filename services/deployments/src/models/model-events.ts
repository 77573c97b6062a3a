import {
  ModelCreatedSchema,
  ModelVersionCreatedSchema,
  ModelVersionResolvedSchema,
} from "@aiplatform/contract/aiplatform/events/v1/deployments";
import type { OutboxRecord } from "@aiplatform/document-store";
import { eventRecord } from "@aiplatform/event-stream";
import { create } from "@bufbuild/protobuf";
import type { Model } from "./model.ts";
import { modelVersionStatuses } from "./model-message.ts";
import type { ModelVersion, Resolution } from "./model-version.ts";

export function modelCreated({ id, organisationId, name }: Model, time: Date): OutboxRecord {
  const message = create(ModelCreatedSchema, { organisationId, modelId: id, name });
  return eventRecord(ModelCreatedSchema, message, { organisationId, entityId: id, time });
}

export function modelVersionCreated({ id, organisationId, modelId, source }: ModelVersion, time: Date): OutboxRecord {
  const fields = { organisationId, modelId, modelVersionId: id, runId: source?.runId ?? "" };
  const message = create(ModelVersionCreatedSchema, fields);
  return eventRecord(ModelVersionCreatedSchema, message, { organisationId, entityId: id, time });
}

/** A version can be deployed, or its artifact could not be had. */
export function modelVersionResolved(
  { id, organisationId, modelId }: Pick<ModelVersion, "id" | "organisationId" | "modelId">,
  resolution: Resolution,
  time: Date,
): OutboxRecord {
  const detail = resolution.status === "failed" ? resolution.statusDetail : "";
  const { status } = resolution;
  const versionStatus = modelVersionStatuses[status];
  const fields = { organisationId, modelId, modelVersionId: id, status, versionStatus, detail };
  const message = create(ModelVersionResolvedSchema, fields);
  return eventRecord(ModelVersionResolvedSchema, message, { organisationId, entityId: id, time });
}

import {
  DeploymentChangedSchema,
  DeploymentCreatedSchema,
  DeploymentDeletedSchema,
  DeploymentStatusChangedSchema,
} from "@aiplatform/contract/aiplatform/events/v1/deployments";
import type { OutboxRecord } from "@aiplatform/document-store";
import { eventRecord } from "@aiplatform/event-stream";
import { create } from "@bufbuild/protobuf";
import type { Deployment } from "./deployment.ts";
import { deploymentStatuses } from "./deployment-message.ts";

export type Change = "rollout" | "rollback" | "canary_set" | "canary_ended" | "promoted" | "stopped" | "started";

export function deploymentCreated({ id, organisationId, name, modelId = "" }: Deployment, time: Date): OutboxRecord {
  const message = create(DeploymentCreatedSchema, { organisationId, deploymentId: id, name, modelId });
  return eventRecord(DeploymentCreatedSchema, message, { organisationId, entityId: id, time });
}

/** A caller changed the deployment. `rolloutId`: the rollout that this queued; empty for none. */
export function deploymentChanged(
  { id, organisationId }: Pick<Deployment, "id" | "organisationId">,
  { change, rolloutId }: { change: Change; rolloutId: string },
  time: Date,
): OutboxRecord {
  const message = create(DeploymentChangedSchema, { organisationId, deploymentId: id, change, rolloutId });
  return eventRecord(DeploymentChangedSchema, message, { organisationId, entityId: id, time });
}

/** The deployment's status, shares or instances are others. */
export function deploymentStatusChanged(
  { id, organisationId, status }: Pick<Deployment, "id" | "organisationId" | "status">,
  time: Date,
): OutboxRecord {
  const fields = { organisationId, deploymentId: id, status, deploymentStatus: deploymentStatuses[status] };
  const message = create(DeploymentStatusChangedSchema, fields);
  return eventRecord(DeploymentStatusChangedSchema, message, { organisationId, entityId: id, time });
}

export function deploymentDeleted(
  { id, organisationId }: Pick<Deployment, "id" | "organisationId">,
  time: Date,
): OutboxRecord {
  const message = create(DeploymentDeletedSchema, { organisationId, deploymentId: id });
  return eventRecord(DeploymentDeletedSchema, message, { organisationId, entityId: id, time });
}

import { callerOf } from "@aiplatform/caller-identity";
import {
  type CustomServingDeployment,
  CustomServingDeploymentSchema,
  type Deployment as DeploymentMessage,
  DeploymentSchema,
  type SetCanaryRequest,
  DeploymentStatus as Statuses,
} from "@aiplatform/contract/aiplatform/deployments/v1/deployments";
import { InvalidFieldsError } from "@aiplatform/service-host";
import { create } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { presentFields } from "../present-fields.ts";
import { rolloutStatuses } from "../rollouts/rollout-message.ts";
import type { PromotableRef } from "./change-deployment.ts";
import type { Deployment, DeploymentRef, DeploymentStatus } from "./deployment.ts";
import { promotePermission } from "./environments.ts";
import type { CanaryCandidate } from "./set-canary.ts";

export const deploymentStatuses: Readonly<Record<DeploymentStatus, Statuses>> = {
  Pending: Statuses.PENDING,
  Deploying: Statuses.DEPLOYING,
  Running: Statuses.RUNNING,
  Updating: Statuses.UPDATING,
  Unhealthy: Statuses.UNHEALTHY,
  Stopped: Statuses.STOPPED,
  Failed: Statuses.FAILED,
  Deleting: Statuses.DELETING,
};

/** The deployment as operation 6 answers it. */
export function deploymentMessage(deployment: Deployment): DeploymentMessage {
  return create(DeploymentSchema, fieldsOf(deployment));
}

/** The deployment with its rollout, as operation 3 answers it. */
export function customServingMessage(deployment: Deployment): CustomServingDeployment {
  const { rollout, runConfigText, targetModelVersionId, currentVersionId } = deployment;
  return create(CustomServingDeploymentSchema, {
    ...fieldsOf(deployment),
    ...presentFields({
      targetModelVersionId,
      rolloutError: rollout.error,
      currentDeploymentVersionId: currentVersionId,
      lowerEnvDeploymentId: deployment.lowerEnvDeploymentId,
      higherEnvDeploymentId: deployment.higherEnvDeploymentId,
      serverlessRunConfig: runConfigText === undefined ? undefined : { text: runConfigText },
    }),
    rolloutStatus: rolloutStatuses[rollout.status],
    rolloutRequestId: rollout.id,
    rolloutQueuedAt: timestampFromDate(rollout.queuedAt),
  });
}

function fieldsOf({ id, name, description, serviceName, organisationId, ...deployment }: Deployment) {
  const { modelId, modelVersionId, status, annotations, createdAt, updatedAt } = deployment;
  return {
    id,
    name,
    description,
    serviceName,
    organisationId,
    ...presentFields({ modelId, modelVersionId }),
    status: deploymentStatuses[status],
    annotations: { text: annotations },
    createdAt: timestampFromDate(createdAt),
    updatedAt: timestampFromDate(updatedAt),
  };
}

/** Which deployment a caller names: one of the caller's organisation. Ids are stored in lower case. */
export function refOf(
  { deploymentId }: { deploymentId: string },
  context: Parameters<typeof callerOf>[0],
): DeploymentRef {
  return { organisationId: callerOf(context).organisationId, deploymentId };
}

/** For a request that decides which version serves. */
export function promotableRefOf(
  request: { deploymentId: string },
  context: Parameters<typeof callerOf>[0],
): PromotableRef {
  return { ...refOf(request, context), mayPromote: callerOf(context).permissions.has(promotePermission) };
}

/** @throws InvalidFieldsError unless exactly one version is named */
export function candidateOf({
  modelVersionId,
  deploymentVersionId,
}: Pick<SetCanaryRequest, "modelVersionId" | "deploymentVersionId">): CanaryCandidate {
  if (modelVersionId !== undefined && deploymentVersionId === undefined) return { modelVersionId };
  if (deploymentVersionId !== undefined && modelVersionId === undefined) return { versionId: deploymentVersionId };
  const description = "exactly one of model_version_id and deployment_version_id is to be given";
  throw new InvalidFieldsError([{ field: "model_version_id", reason: "EXACTLY_ONE", description }]);
}

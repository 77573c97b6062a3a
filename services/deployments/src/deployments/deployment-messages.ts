import {
  type CustomServingDeployment,
  CustomServingDeploymentSchema,
  type Deployment as DeploymentMessage,
  DeploymentSchema,
  DeploymentVersionSchema,
  type Rollout as RolloutMessage,
  RolloutSchema,
  RolloutStatus as RolloutStatuses,
  ServingBundleSchema,
  type ServingState as ServingStateMessage,
  ServingStateSchema,
  DeploymentStatus as Statuses,
  type DeploymentVersion as VersionMessage,
} from "@aiplatform/contract/aiplatform/deployments/v1/deployments";
import { create, fromJsonString } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { Deployment, DeploymentStatus, RolloutStatus } from "./deployment.ts";
import type { DeploymentVersion } from "./deployment-version.ts";
import type { Rollout } from "./rollout.ts";
import type { ServingState } from "./serving-state.ts";

const statuses: Readonly<Record<DeploymentStatus, Statuses>> = {
  Pending: Statuses.PENDING,
  Deploying: Statuses.DEPLOYING,
  Running: Statuses.RUNNING,
  Updating: Statuses.UPDATING,
  Unhealthy: Statuses.UNHEALTHY,
  Stopped: Statuses.STOPPED,
  Failed: Statuses.FAILED,
  Deleting: Statuses.DELETING,
};

const rolloutStatuses: Readonly<Record<RolloutStatus, RolloutStatuses>> = {
  Queued: RolloutStatuses.QUEUED,
  InProgress: RolloutStatuses.IN_PROGRESS,
  Succeeded: RolloutStatuses.SUCCEEDED,
  Failed: RolloutStatuses.FAILED,
  RolledBack: RolloutStatuses.ROLLED_BACK,
  Superseded: RolloutStatuses.SUPERSEDED,
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
    ...present({
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
    ...present({ modelId, modelVersionId }),
    status: statuses[status],
    annotations: { text: annotations },
    createdAt: timestampFromDate(createdAt),
    updatedAt: timestampFromDate(updatedAt),
  };
}

/** A version without its token, which no caller may see. */
export function versionMessage(version: DeploymentVersion): VersionMessage {
  const { id, deploymentId, number, modelVersionId, runtime, digest, bundleText, createdAt } = version;
  const servingBundle = bundleText === undefined ? undefined : fromJsonString(ServingBundleSchema, bundleText);
  return create(DeploymentVersionSchema, {
    id,
    deploymentId,
    number,
    runtime,
    digest,
    ...present({ modelVersionId, servingBundle }),
    createdAt: timestampFromDate(createdAt),
  });
}

export function rolloutMessage(rollout: Rollout): RolloutMessage {
  const { id, deploymentId, versionId, status, error, queuedAt, startedAt, endedAt } = rollout;
  return create(RolloutSchema, {
    id,
    deploymentId,
    deploymentVersionId: versionId,
    status: rolloutStatuses[status],
    queuedAt: timestampFromDate(queuedAt),
    ...present({
      error,
      startedAt: startedAt && timestampFromDate(startedAt),
      endedAt: endedAt && timestampFromDate(endedAt),
    }),
  });
}

export function servingStateMessage({ versions, ...state }: ServingState): ServingStateMessage {
  return create(ServingStateSchema, {
    ...state,
    versions: versions.map(({ versionId, percent, instances }) => ({
      deploymentVersionId: versionId,
      percent,
      instances: instances.map(({ name, state: is, detail, inFlight, restarts }) => {
        return { name, state: is, inFlight, restarts, ...present({ detail }) };
      }),
    })),
  });
}

type Present<T> = { [Name in keyof T]?: Exclude<T[Name], undefined> };

/** Without what is not there. */
function present<T extends object>(fields: T): Present<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Present<T>;
}

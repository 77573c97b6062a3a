import { SearchKind } from "@aiplatform/contract/aiplatform/search/v1/search";
import type { TenantDocument } from "@aiplatform/document-store";
import { type SearchedCollection, type SearchFields, searchFields } from "@aiplatform/search";
import type { RunConfig } from "../deployment-versions/run-config.ts";
import type {
  Canary,
  Deployment,
  DeploymentStatus,
  DesiredState,
  Endpoint,
  InstanceStatus,
  LatestRollout,
} from "./deployment.ts";

/** A deployment as it is stored. What is inside of its parts is named as in the program. */
export interface DeploymentDocument extends TenantDocument, Partial<SearchFields> {
  name: string;
  description: string;
  service_name: string;
  model_id: string | null;
  model_version_id: string | null;
  status: DeploymentStatus;
  annotations: string;
  environment: string;
  run_config: RunConfig;
  run_config_text: string | null;
  /** The desired state. */
  wish: DesiredState;
  generation: number;
  current_version_id: string | null;
  target_model_version_id: string | null;
  rollout: Omit<LatestRollout, "error"> & { error: string | null };
  canary: Canary | null;
  endpoints: Endpoint[];
  instances: (Omit<InstanceStatus, "detail"> & { detail: string | null })[];
  wake_requested_at: Date | null;
  lower_env_deployment_id: string | null;
  higher_env_deployment_id: string | null;
  /** Who reconciles it, until when. Only the reconciler's leases write it. */
  lease?: { holder: string; until: Date } | null;
  created_at: Date;
  updated_at: Date;
}

export const deploymentsCollection = "deployments";

/** How deployments are searched; one that goes is found no more. */
export const deploymentSearch: SearchedCollection = {
  kind: SearchKind.DEPLOYMENT,
  collection: deploymentsCollection,
  name: "name",
  texts: ["description", "service_name"],
  parameters: { deployment_id: "_id" },
  orderIndex: "creation",
  within: { wish: { $in: ["serve", "stopped"] } },
};

export function toDeploymentDocument(deployment: Deployment): DeploymentDocument {
  const { name, description, status, annotations, environment, generation, endpoints, rollout } = deployment;
  const { modelId = null, modelVersionId = null, targetModelVersionId = null, currentVersionId = null } = deployment;
  const { runConfigText = null, canary = null, wakeRequestedAt = null } = deployment;
  const { lowerEnvDeploymentId = null, higherEnvDeploymentId = null } = deployment;
  return {
    ...{ name, description, status, annotations, environment, generation, endpoints, canary },
    _id: deployment.id,
    organisation_id: deployment.organisationId,
    service_name: deployment.serviceName,
    model_id: modelId,
    model_version_id: modelVersionId,
    run_config: deployment.runConfig,
    run_config_text: runConfigText,
    wish: deployment.desiredState,
    current_version_id: currentVersionId,
    target_model_version_id: targetModelVersionId,
    rollout: { ...rollout, error: rollout.error ?? null },
    instances: deployment.instances.map((instance) => ({ ...instance, detail: instance.detail ?? null })),
    wake_requested_at: wakeRequestedAt,
    lower_env_deployment_id: lowerEnvDeploymentId,
    higher_env_deployment_id: higherEnvDeploymentId,
    created_at: deployment.createdAt,
    updated_at: deployment.updatedAt,
    ...searchFields(deploymentSearch, { name, description, service_name: deployment.serviceName }),
  };
}

export function toDeployment(document: DeploymentDocument): Deployment {
  const { name, description, status, annotations, environment, generation, endpoints, rollout } = document;
  return {
    ...{ name, description, status, annotations, environment, generation, endpoints },
    id: document._id,
    organisationId: document.organisation_id,
    serviceName: document.service_name,
    modelId: document.model_id ?? undefined,
    modelVersionId: document.model_version_id ?? undefined,
    runConfig: document.run_config,
    runConfigText: document.run_config_text ?? undefined,
    desiredState: document.wish,
    currentVersionId: document.current_version_id ?? undefined,
    targetModelVersionId: document.target_model_version_id ?? undefined,
    rollout: { ...rollout, error: rollout.error ?? undefined },
    canary: document.canary ?? undefined,
    instances: document.instances.map((instance) => ({ ...instance, detail: instance.detail ?? undefined })),
    wakeRequestedAt: document.wake_requested_at ?? undefined,
    lowerEnvDeploymentId: document.lower_env_deployment_id ?? undefined,
    higherEnvDeploymentId: document.higher_env_deployment_id ?? undefined,
    createdAt: document.created_at,
    updatedAt: document.updated_at,
  };
}

import type { TenantDocument } from "@aiplatform/document-store";
import type {
  Canary,
  Deployment,
  DeploymentStatus,
  Endpoint,
  LatestRollout,
  Lease,
  SeenInstance,
  Wish,
} from "./deployment.ts";
import type { RunConfig } from "./run-config.ts";

/** A deployment as it is kept. What is inside of its parts is named as in the program. */
export interface DeploymentDocument extends TenantDocument {
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
  wish: Wish;
  generation: number;
  current_version_id: string | null;
  target_model_version_id: string | null;
  rollout: Omit<LatestRollout, "error"> & { error: string | null };
  canary: Canary | null;
  endpoints: Endpoint[];
  instances: (Omit<SeenInstance, "detail"> & { detail: string | null })[];
  wake_requested_at: Date | null;
  lower_env_deployment_id: string | null;
  higher_env_deployment_id: string | null;
  lease: Lease | null;
  created_at: Date;
  updated_at: Date;
}

export function toDeploymentDocument(deployment: Deployment): DeploymentDocument {
  return {
    _id: deployment.id,
    organisation_id: deployment.organisationId,
    name: deployment.name,
    description: deployment.description,
    service_name: deployment.serviceName,
    model_id: deployment.modelId ?? null,
    model_version_id: deployment.modelVersionId ?? null,
    status: deployment.status,
    annotations: deployment.annotations,
    environment: deployment.environment,
    run_config: deployment.runConfig,
    run_config_text: deployment.runConfigText ?? null,
    wish: deployment.wish,
    generation: deployment.generation,
    current_version_id: deployment.currentVersionId ?? null,
    target_model_version_id: deployment.targetModelVersionId ?? null,
    rollout: { ...deployment.rollout, error: deployment.rollout.error ?? null },
    canary: deployment.canary ?? null,
    endpoints: deployment.endpoints,
    instances: deployment.instances.map((instance) => ({ ...instance, detail: instance.detail ?? null })),
    wake_requested_at: deployment.wakeRequestedAt ?? null,
    lower_env_deployment_id: deployment.lowerEnvDeploymentId ?? null,
    higher_env_deployment_id: deployment.higherEnvDeploymentId ?? null,
    lease: deployment.lease ?? null,
    created_at: deployment.createdAt,
    updated_at: deployment.updatedAt,
  };
}

export function toDeployment(document: DeploymentDocument): Deployment {
  return {
    id: document._id,
    organisationId: document.organisation_id,
    name: document.name,
    description: document.description,
    serviceName: document.service_name,
    modelId: document.model_id ?? undefined,
    modelVersionId: document.model_version_id ?? undefined,
    status: document.status,
    annotations: document.annotations,
    environment: document.environment,
    runConfig: document.run_config,
    runConfigText: document.run_config_text ?? undefined,
    wish: document.wish,
    generation: document.generation,
    currentVersionId: document.current_version_id ?? undefined,
    targetModelVersionId: document.target_model_version_id ?? undefined,
    rollout: { ...document.rollout, error: document.rollout.error ?? undefined },
    canary: document.canary ?? undefined,
    endpoints: document.endpoints,
    instances: document.instances.map((instance) => ({ ...instance, detail: instance.detail ?? undefined })),
    wakeRequestedAt: document.wake_requested_at ?? undefined,
    lowerEnvDeploymentId: document.lower_env_deployment_id ?? undefined,
    higherEnvDeploymentId: document.higher_env_deployment_id ?? undefined,
    lease: document.lease ?? undefined,
    createdAt: document.created_at,
    updatedAt: document.updated_at,
  };
}

import type { DeploymentsDependencies } from "../dependencies.ts";
import type { DeploymentRef } from "./change-deployment.ts";
import { type Deployment, DeploymentNotFoundError, type SeenInstance } from "./deployment.ts";
import { sharesOf } from "./serving-shares.ts";

/** What serves at this moment. */
export interface ServingState {
  predictionPath: string;
  modelName: string;
  environment: string;
  versions: { versionId: string; percent: number; instances: SeenInstance[] }[];
}

/** Path of a deployment's predictions at the gateway. */
export function predictionPath(deploymentId: string, modelName: string): string {
  return `/platform/deployments/${deploymentId}/v2/models/${encodeURIComponent(modelName)}/infer`;
}

/** What serves of a deployment, and what is being started. Throws DeploymentNotFoundError. */
export async function getServingState(
  { deployments, deploymentVersions }: Pick<DeploymentsDependencies, "deployments" | "deploymentVersions">,
  { organisationId, deploymentId }: DeploymentRef,
): Promise<ServingState> {
  const deployment = await deployments.find(organisationId, deploymentId);
  if (!deployment) throw new DeploymentNotFoundError(deploymentId);
  const { currentVersionId, rollout, environment, instances } = deployment;
  const named = await deploymentVersions.find(organisationId, currentVersionId ?? rollout.versionId);
  const modelName = named?.modelName ?? deployment.serviceName;
  const shares = sharesOf(deployment);
  const versions = versionsAt(deployment).map((versionId) => {
    const own = instances.filter((instance) => instance.versionId === versionId);
    return { versionId, percent: shares.get(versionId) ?? 0, instances: own };
  });
  return { predictionPath: predictionPath(deploymentId, modelName), modelName, environment, versions };
}

/** Versions that answer, that are tried, or that there are instances of; what serves comes first. */
function versionsAt({ currentVersionId, canary, rollout, instances, wish }: Deployment): string[] {
  const wanted = wish === "serve" ? [currentVersionId, canary?.versionId] : [];
  const isStarting = wish === "serve" && (rollout.status === "Queued" || rollout.status === "InProgress");
  const all = [...wanted, ...(isStarting ? [rollout.versionId] : []), ...instances.map(({ versionId }) => versionId)];
  return [...new Set(all.filter((versionId) => versionId !== undefined))];
}

import type { ChangeDependencies } from "../deployments/change-deployment.ts";
import type { Deployment, DeploymentRef, InstanceStatus } from "../deployments/deployment.ts";
import { splitTraffic } from "./traffic-split.ts";

/** What serves at this moment. */
export interface ServingState {
  predictionPath: string;
  modelName: string;
  environment: string;
  versions: { versionId: string; percent: number; instances: InstanceStatus[] }[];
}

function predictionPath(deploymentId: string, modelName: string): string {
  return `/platform/deployments/${deploymentId}/v2/models/${encodeURIComponent(modelName)}/infer`;
}

/** What serves of a deployment, and what is being started. @throws DeploymentNotFoundError */
export async function getServingState(
  { deployments, deploymentVersions }: Pick<ChangeDependencies, "deployments" | "deploymentVersions">,
  ref: DeploymentRef,
): Promise<ServingState> {
  const deployment = await deployments.get(ref);
  const { currentVersionId, rollout, environment, instances } = deployment;
  const named = await deploymentVersions.find(ref.organisationId, currentVersionId ?? rollout.versionId);
  const modelName = named?.modelName ?? deployment.serviceName;
  const shares = splitTraffic(deployment);
  const versions = versionsAt(deployment).map((versionId) => {
    const own = instances.filter((instance) => instance.versionId === versionId);
    return { versionId, percent: shares.get(versionId) ?? 0, instances: own };
  });
  return { predictionPath: predictionPath(ref.deploymentId, modelName), modelName, environment, versions };
}

/** Versions that answer, that are tried, or that there are instances of; what serves comes first. */
function versionsAt({ currentVersionId, canary, rollout, instances, desiredState }: Deployment): string[] {
  const wanted = desiredState === "serve" ? [currentVersionId, canary?.versionId] : [];
  const isStarting = desiredState === "serve" && (rollout.status === "Queued" || rollout.status === "InProgress");
  const all = [...wanted, ...(isStarting ? [rollout.versionId] : []), ...instances.map(({ versionId }) => versionId)];
  return [...new Set(all.filter((versionId) => versionId !== undefined))];
}

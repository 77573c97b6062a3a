import type { DeploymentsDependencies } from "../dependencies.ts";
import type { DeploymentRef } from "./change-deployment.ts";
import { type Deployment, DeploymentNotFoundError } from "./deployment.ts";

/** One deployment. Throws DeploymentNotFoundError. */
export async function getDeployment(
  { deployments }: Pick<DeploymentsDependencies, "deployments">,
  { organisationId, deploymentId }: DeploymentRef,
): Promise<Deployment> {
  const deployment = await deployments.find(organisationId, deploymentId);
  if (!deployment) throw new DeploymentNotFoundError(deploymentId);
  return deployment;
}

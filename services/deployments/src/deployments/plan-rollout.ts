import type { ClientSession } from "@aiplatform/document-store";
import { addDeploymentVersion } from "../deployment-versions/add-deployment-version.ts";
import type { DeploymentVersion } from "../deployment-versions/deployment-version.ts";
import type { VersionPlan } from "../deployment-versions/version-plan.ts";
import type { ChangeDependencies } from "./change-deployment.ts";
import type { Deployment } from "./deployment.ts";
import { type Transition, toRollout } from "./transitions.ts";

type Dependencies = Pick<ChangeDependencies, "deploymentVersions" | "clock" | "newId">;

/** The version of the latest rollout: what a rollout of something newer begins with. */
export function targetVersion(
  { deploymentVersions }: Pick<ChangeDependencies, "deploymentVersions">,
  deployment: Deployment,
  session: ClientSession,
): Promise<DeploymentVersion> {
  return deploymentVersions.get(deployment, deployment.rollout.versionId, session);
}

/** The deployment's version that is made as planned; `former` knows how the protocol names it. */
export async function plannedVersion(
  dependencies: Dependencies,
  { organisationId, id: deploymentId, currentVersionId, canary }: Deployment,
  { plan, former }: { plan: VersionPlan; former: DeploymentVersion },
  session: ClientSession,
): Promise<DeploymentVersion> {
  const ids = [currentVersionId, canary?.versionId].flatMap((id) => (id === undefined || id === former.id ? [] : [id]));
  const others = await dependencies.deploymentVersions.findAll(organisationId, ids, session);
  const owner = { organisationId, deploymentId, modelName: former.modelName };
  return addDeploymentVersion(dependencies, owner, { plan, known: [former, ...others] }, session);
}

export function queueRollout(
  { clock, newId }: Pick<Dependencies, "clock" | "newId">,
  deployment: Deployment,
  { id: versionId, modelVersionId }: DeploymentVersion,
): Transition {
  return toRollout(deployment, { rolloutId: newId(), versionId, modelVersionId }, clock());
}

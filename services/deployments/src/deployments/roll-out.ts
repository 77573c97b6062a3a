import type { ClientSession } from "@aiplatform/document-store";
import { addVersion } from "./add-version.ts";
import type { ChangeDependencies } from "./change-deployment.ts";
import type { Deployment } from "./deployment.ts";
import { type DeploymentVersion, DeploymentVersionNotFoundError } from "./deployment-version.ts";
import { type Wished, wishVersion } from "./moves.ts";
import type { VersionPlan } from "./version-plan.ts";

type Dependencies = Pick<ChangeDependencies, "deploymentVersions" | "clock" | "newId">;

/** A version of a deployment by its id. Throws DeploymentVersionNotFoundError, for those of others too. */
export async function versionOf(
  { deploymentVersions }: Pick<ChangeDependencies, "deploymentVersions">,
  { organisationId, id }: Pick<Deployment, "organisationId" | "id">,
  versionId: string,
  session: ClientSession,
): Promise<DeploymentVersion> {
  const version = await deploymentVersions.find(organisationId, versionId, session);
  if (version?.deploymentId !== id) throw new DeploymentVersionNotFoundError(versionId);
  return version;
}

/** The version that is wanted last: what a rollout of something newer begins with. */
export function wantedVersion(
  dependencies: Pick<ChangeDependencies, "deploymentVersions">,
  deployment: Deployment,
  session: ClientSession,
): Promise<DeploymentVersion> {
  return versionOf(dependencies, deployment, deployment.rollout.versionId, session);
}

/** The deployment's version that is made as planned; `wanted` knows how the protocol names it. */
export async function plannedVersion(
  dependencies: Dependencies,
  { organisationId, id: deploymentId, currentVersionId, canary }: Deployment,
  { plan, wanted }: { plan: VersionPlan; wanted: DeploymentVersion },
  session: ClientSession,
): Promise<DeploymentVersion> {
  const ids = [currentVersionId, canary?.versionId].flatMap((id) => (id === undefined || id === wanted.id ? [] : [id]));
  const others = await dependencies.deploymentVersions.findAll(organisationId, ids, session);
  const owner = { organisationId, deploymentId, modelName: wanted.modelName };
  return addVersion(dependencies, owner, { plan, known: [wanted, ...others] }, session);
}

/** Queues a rollout of a version. */
export function rollOut(
  { clock, newId }: Pick<Dependencies, "clock" | "newId">,
  deployment: Deployment,
  { id: versionId, modelVersionId }: DeploymentVersion,
): Wished {
  return wishVersion(deployment, { rolloutId: newId(), versionId, modelVersionId }, clock());
}

import type { ClientSession } from "@aiplatform/document-store";
import { changeDeployment, type DeploymentRef } from "./change-deployment.ts";
import type { Deployment } from "./deployment.ts";
import type { DeploymentVersion } from "./deployment-version.ts";
import { NothingServesError, VersionServesError, wishCanary } from "./moves.ts";
import { plannedVersion, versionOf } from "./roll-out.ts";
import { pinAgain, type RolloutDependencies } from "./start-rollout.ts";
import { planOfVersion, repinned } from "./version-plan.ts";

/** Which version is tried: of the model, or of the deployment. */
export type Tried = { modelVersionId: string } | { versionId: string };

/** Which deployment, and what is tried at which share. */
export interface CanaryWish extends DeploymentRef {
  tried: Tried;
  /** 1 to 99. */
  percent: number;
}

/**
 * Lets a version answer a share of the predictions. Throws DeploymentNotFoundError, DeploymentMoveError, NothingServesError,
 * VersionServesError, DeploymentVersionNotFoundError, ModelVersionNotFoundError, ModelNotReadyError.
 */
export function setCanary(
  dependencies: RolloutDependencies,
  { tried, percent, ...ref }: CanaryWish,
  session: ClientSession,
): Promise<Deployment> {
  return changeDeployment(
    dependencies,
    { ...ref, move: "set_canary" },
    async (deployment) => {
      const { id, currentVersionId, rollout } = deployment;
      const beside = await versionOf(dependencies, deployment, currentVersionId ?? rollout.versionId, session);
      const version = await triedVersion(dependencies, { deployment, beside, tried }, session);
      if (currentVersionId === undefined) throw new NothingServesError(id);
      if (version.id === currentVersionId) throw new VersionServesError(version.id);
      const { canary } = deployment;
      if (canary?.versionId === version.id && canary.percent === percent) return undefined;
      return { ...wishCanary(deployment, { versionId: version.id, percent }, dependencies.clock()), as: "canary_set" };
    },
    session,
  );
}

async function triedVersion(
  dependencies: RolloutDependencies,
  { deployment, beside, tried }: { deployment: Deployment; beside: DeploymentVersion; tried: Tried },
  session: ClientSession,
): Promise<DeploymentVersion> {
  if ("versionId" in tried) return versionOf(dependencies, deployment, tried.versionId, session);
  const pinned = await pinAgain(dependencies, beside, tried.modelVersionId, session);
  const plan = repinned(planOfVersion(beside), pinned);
  return plannedVersion(dependencies, deployment, { plan, wanted: beside }, session);
}

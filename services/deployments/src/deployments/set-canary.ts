import type { ClientSession } from "@aiplatform/document-store";
import type { DeploymentVersion } from "../deployment-versions/deployment-version.ts";
import { pinAgain } from "../deployment-versions/pin-models.ts";
import { planOfVersion, repinned } from "../deployment-versions/version-plan.ts";
import { changeDeployment, type PromotableRef } from "./change-deployment.ts";
import type { Deployment } from "./deployment.ts";
import { plannedVersion } from "./plan-rollout.ts";
import type { RolloutDependencies } from "./start-rollout.ts";
import { NothingServesError, toCanary, VersionServesError } from "./transitions.ts";

/** Which version is tried: of the model, or of the deployment. */
export type CanaryCandidate = { modelVersionId: string } | { versionId: string };

/** Which version is tried on a deployment, and at which share. */
export interface CanaryRequest extends PromotableRef {
  candidate: CanaryCandidate;
  /** 1 to 99. */
  percent: number;
}

/**
 * Lets a version answer a share of the predictions.
 * @throws DeploymentNotFoundError, DeploymentTransitionError, NothingServesError, VersionServesError,
 * DeploymentVersionNotFoundError, ModelVersionNotFoundError, ModelNotReadyError
 */
export function setCanary(
  dependencies: RolloutDependencies,
  { candidate, percent, ...ref }: CanaryRequest,
  session: ClientSession,
): Promise<Deployment> {
  return changeDeployment(
    dependencies,
    { ...ref, action: "set_canary" },
    async (deployment) => {
      const { id, currentVersionId, rollout } = deployment;
      const current = await dependencies.deploymentVersions.get(
        deployment,
        currentVersionId ?? rollout.versionId,
        session,
      );
      const version = await candidateVersion(dependencies, { deployment, current, candidate }, session);
      if (currentVersionId === undefined) throw new NothingServesError(id);
      if (version.id === currentVersionId) throw new VersionServesError(version.id);
      const { canary } = deployment;
      if (canary?.versionId === version.id && canary.percent === percent) return undefined;
      return { ...toCanary(deployment, { versionId: version.id, percent }, dependencies.clock()), as: "canary_set" };
    },
    session,
  );
}

async function candidateVersion(
  dependencies: RolloutDependencies,
  {
    deployment,
    current,
    candidate,
  }: { deployment: Deployment; current: DeploymentVersion; candidate: CanaryCandidate },
  session: ClientSession,
): Promise<DeploymentVersion> {
  if ("versionId" in candidate) return dependencies.deploymentVersions.get(deployment, candidate.versionId, session);
  const pinned = await pinAgain(dependencies, current, candidate.modelVersionId, session);
  const plan = repinned(planOfVersion(current), pinned);
  return plannedVersion(dependencies, deployment, { plan, former: current }, session);
}

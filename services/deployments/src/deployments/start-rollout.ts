import type { ClientSession } from "@aiplatform/document-store";
import { type PinDependencies, pinAgain } from "../deployment-versions/pin-models.ts";
import { planOfVersion, repinned } from "../deployment-versions/version-plan.ts";
import { type ChangeDependencies, changeDeployment, type PromotableRef } from "./change-deployment.ts";
import type { Deployment } from "./deployment.ts";
import { plannedVersion, queueRollout, targetVersion } from "./plan-rollout.ts";

export interface RolloutDependencies extends ChangeDependencies, PinDependencies {}

/**
 * Rolls out the newest ready version of the model, or the one that is named.
 * @throws DeploymentNotFoundError, DeploymentTransitionError, ModelVersionNotFoundError, ModelNotReadyError
 */
export function startRollout(
  dependencies: RolloutDependencies,
  { modelVersionId, ...ref }: PromotableRef & { modelVersionId: string | undefined },
  session: ClientSession,
): Promise<Deployment> {
  return changeDeployment(
    dependencies,
    { ...ref, action: "roll_out" },
    async (deployment) => {
      const former = await targetVersion(dependencies, deployment, session);
      const pinned = await pinAgain(dependencies, former, modelVersionId, session);
      const plan = { ...repinned(planOfVersion(former), pinned), runConfig: deployment.runConfig };
      const version = await plannedVersion(dependencies, deployment, { plan, former }, session);
      return { ...queueRollout(dependencies, deployment, version), as: "rollout" };
    },
    session,
  );
}

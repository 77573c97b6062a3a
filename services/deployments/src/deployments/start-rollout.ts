import type { ClientSession } from "@aiplatform/document-store";
import type { DeploymentsDependencies } from "../dependencies.ts";
import type { ModelVersion } from "../models/model-version.ts";
import { type ChangeDependencies, changeDeployment, type DeploymentRef } from "./change-deployment.ts";
import type { Deployment } from "./deployment.ts";
import type { DeploymentVersion } from "./deployment-version.ts";
import { pinNamed, pinNewest } from "./pin-models.ts";
import { plannedVersion, rollOut, wantedVersion } from "./roll-out.ts";
import { planOfVersion, repinned } from "./version-plan.ts";

export type RolloutDependencies = ChangeDependencies & Pick<DeploymentsDependencies, "models" | "modelVersions">;

/**
 * Rolls out the newest ready version of the model, or the one that is named. Throws DeploymentNotFoundError,
 * DeploymentMoveError, ModelVersionNotFoundError, ModelNotReadyError.
 */
export function startRollout(
  dependencies: RolloutDependencies,
  { modelVersionId, ...ref }: DeploymentRef & { modelVersionId: string | undefined },
  session: ClientSession,
): Promise<Deployment> {
  return changeDeployment(
    dependencies,
    { ...ref, move: "roll_out" },
    async (deployment) => {
      const wanted = await wantedVersion(dependencies, deployment, session);
      const pinned = await pinAgain(dependencies, wanted, modelVersionId, session);
      const plan = { ...repinned(planOfVersion(wanted), pinned), runConfig: deployment.runConfig };
      const version = await plannedVersion(dependencies, deployment, { plan, wanted }, session);
      return { ...rollOut(dependencies, deployment, version), as: "rollout" };
    },
    session,
  );
}

/** The models of a version anew. Throws ModelVersionNotFoundError, ModelNotFoundError, ModelNotReadyError. */
export function pinAgain(
  dependencies: Pick<DeploymentsDependencies, "models" | "modelVersions">,
  { organisationId, models }: DeploymentVersion,
  modelVersionId: string | undefined,
  session: ClientSession,
): Promise<ModelVersion[]> {
  const modelIds = models.map(({ modelId }) => modelId);
  return modelVersionId === undefined
    ? pinNewest(dependencies, organisationId, modelIds, session)
    : pinNamed(dependencies, organisationId, { modelIds, modelVersionId }, session);
}

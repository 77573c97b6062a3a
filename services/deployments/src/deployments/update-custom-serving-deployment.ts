import type { ClientSession } from "@aiplatform/document-store";
import { type PlanBundleDependencies, planBundle, type StoredBundle } from "../bundles/plan-bundle.ts";
import { changeDeployment, type PromotableRef } from "./change-deployment.ts";
import { type Deployment, DeploymentError } from "./deployment.ts";
import { plannedVersion, queueRollout, targetVersion } from "./plan-rollout.ts";
import type { RolloutDependencies } from "./start-rollout.ts";

/** The deployment serves a model as it is, and no bundle. */
export class NoBundleError extends DeploymentError {
  override name = "NoBundleError";
  constructor(deploymentId: string) {
    super(deploymentId, "The deployment serves a model, not a bundle");
  }
}

/** Which deployment, and what is to serve instead: a bundle whose contents are stored. */
export interface BundleUpdate extends PromotableRef {
  bundle: StoredBundle;
  runConfigText: string | undefined;
}

/**
 * Rolls out another bundle.
 * @throws DeploymentNotFoundError, DeploymentTransitionError, NoBundleError, UnknownDatasetError, ModelNotFoundError,
 * ModelNotReadyError
 */
export function updateCustomServingDeployment(
  dependencies: RolloutDependencies & PlanBundleDependencies,
  { bundle, runConfigText, ...ref }: BundleUpdate,
  session: ClientSession,
): Promise<Deployment> {
  return changeDeployment(
    dependencies,
    { ...ref, action: "update" },
    async (deployment) => {
      const former = await targetVersion(dependencies, deployment, session);
      if (former.bundleText === undefined) throw new NoBundleError(deployment.id);
      const runConfig = bundle.runConfig ?? deployment.runConfig;
      const plan = await planBundle(dependencies, ref.organisationId, { ...bundle, runConfig }, session);
      const version = await plannedVersion(dependencies, deployment, { plan, former }, session);
      const texts = runConfigText === undefined ? {} : { runConfigText };
      const next = { ...deployment, ...texts, runConfig, modelId: plan.models[0]?.modelId };
      return { ...queueRollout(dependencies, next, version), as: "rollout" };
    },
    session,
  );
}

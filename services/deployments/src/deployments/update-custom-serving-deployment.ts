import type { ClientSession } from "@aiplatform/document-store";
import type { DeploymentsDependencies } from "../dependencies.ts";
import { changeDeployment, type DeploymentRef } from "./change-deployment.ts";
import type { Deployment } from "./deployment.ts";
import { planBundle, type StoredBundle } from "./plan-bundle.ts";
import { plannedVersion, rollOut, wantedVersion } from "./roll-out.ts";
import type { RolloutDependencies } from "./start-rollout.ts";

/** The deployment serves a model as it is, and no bundle. */
export class NoBundleError extends Error {
  override name = "NoBundleError";
  readonly deploymentId: string;
  constructor(deploymentId: string) {
    super("The deployment serves a model, not a bundle");
    this.deploymentId = deploymentId;
  }
}

/** Which deployment, and what is to serve instead: a bundle whose contents are stored. */
export interface BundleUpdate extends DeploymentRef {
  bundle: StoredBundle;
  runConfigText: string | undefined;
}

/**
 * Rolls out another bundle. Throws DeploymentNotFoundError, DeploymentMoveError, NoBundleError, UnknownDatasetError,
 * ModelNotFoundError, ModelNotReadyError.
 */
export function updateCustomServingDeployment(
  dependencies: RolloutDependencies & Pick<DeploymentsDependencies, "knownDatasets">,
  { bundle, runConfigText, ...ref }: BundleUpdate,
  session: ClientSession,
): Promise<Deployment> {
  return changeDeployment(
    dependencies,
    { ...ref, move: "update" },
    async (deployment) => {
      const wanted = await wantedVersion(dependencies, deployment, session);
      if (wanted.bundleText === undefined) throw new NoBundleError(deployment.id);
      const runConfig = bundle.runConfig ?? deployment.runConfig;
      const plan = await planBundle(dependencies, ref.organisationId, { ...bundle, runConfig }, session);
      const version = await plannedVersion(dependencies, deployment, { plan, wanted }, session);
      const texts = runConfigText === undefined ? {} : { runConfigText };
      const next = { ...deployment, ...texts, runConfig, modelId: plan.models[0]?.modelId };
      return { ...rollOut(dependencies, next, version), as: "rollout" };
    },
    session,
  );
}

import type { ClientSession } from "@aiplatform/document-store";
import { type ChangeDependencies, changeDeployment } from "./change-deployment.ts";
import type { Deployment, DeploymentRef } from "./deployment.ts";
import { queueRollout } from "./plan-rollout.ts";

/** Starts what was stopped, with the version it had. @throws DeploymentNotFoundError, DeploymentTransitionError */
export function startDeployment(
  dependencies: ChangeDependencies,
  ref: DeploymentRef,
  session: ClientSession,
): Promise<Deployment> {
  return changeDeployment(
    dependencies,
    { ...ref, action: "start" },
    async (deployment) => {
      const had = deployment.currentVersionId ?? deployment.rollout.versionId;
      const version = await dependencies.deploymentVersions.get(deployment, had, session);
      return { ...queueRollout(dependencies, deployment, version), as: "started" };
    },
    session,
  );
}

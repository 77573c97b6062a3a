import type { ClientSession } from "@aiplatform/document-store";
import { type ChangeDependencies, changeDeployment, type DeploymentRef } from "./change-deployment.ts";
import type { Deployment } from "./deployment.ts";
import { rollOut, versionOf } from "./roll-out.ts";

/** Starts what was stopped, with the version it had. Throws DeploymentNotFoundError, DeploymentMoveError. */
export function startDeployment(
  dependencies: ChangeDependencies,
  ref: DeploymentRef,
  session: ClientSession,
): Promise<Deployment> {
  return changeDeployment(
    dependencies,
    { ...ref, move: "start" },
    async (deployment) => {
      const had = deployment.currentVersionId ?? deployment.rollout.versionId;
      const version = await versionOf(dependencies, deployment, had, session);
      return { ...rollOut(dependencies, deployment, version), as: "started" };
    },
    session,
  );
}

import type { ClientSession } from "@aiplatform/document-store";
import { type ChangeDependencies, changeDeployment, type DeploymentRef } from "./change-deployment.ts";
import type { Deployment } from "./deployment.ts";
import { wishDeletion } from "./moves.ts";

/** Lets a deployment go: what serves is ended, then the controller forgets it. Throws DeploymentNotFoundError. */
export function deleteDeployment(
  dependencies: ChangeDependencies,
  ref: DeploymentRef,
  session: ClientSession,
): Promise<Deployment> {
  const { deployments, clock } = dependencies;
  return changeDeployment(
    dependencies,
    { ...ref, move: "delete" },
    async (deployment) => {
      await deployments.unlink(ref.organisationId, deployment.id, session);
      const unlinked = { ...deployment, lowerEnvDeploymentId: undefined, higherEnvDeploymentId: undefined };
      return { ...wishDeletion(unlinked, clock()), as: "deleted" };
    },
    session,
  );
}

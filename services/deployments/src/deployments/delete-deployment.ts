import type { ClientSession } from "@aiplatform/document-store";
import { type ChangeDependencies, changeDeployment } from "./change-deployment.ts";
import type { Deployment, DeploymentRef } from "./deployment.ts";
import { toDeleted } from "./transitions.ts";

/** Has a deployment deleted: the reconciler ends what serves first. @throws DeploymentNotFoundError */
export function deleteDeployment(
  dependencies: ChangeDependencies,
  ref: DeploymentRef,
  session: ClientSession,
): Promise<Deployment> {
  const { deployments, clock } = dependencies;
  return changeDeployment(
    dependencies,
    { ...ref, action: "delete" },
    async (deployment) => {
      await deployments.unlink(ref.organisationId, deployment.id, session);
      const unlinked = { ...deployment, lowerEnvDeploymentId: undefined, higherEnvDeploymentId: undefined };
      return { ...toDeleted(unlinked, clock()), as: "deleted" };
    },
    session,
  );
}

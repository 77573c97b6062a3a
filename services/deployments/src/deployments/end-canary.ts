import type { ClientSession } from "@aiplatform/document-store";
import { type ChangeDependencies, changeDeployment, type DeploymentRef } from "./change-deployment.ts";
import type { Deployment } from "./deployment.ts";
import { wishCanary } from "./moves.ts";

/** Lets the current version answer everything again. Throws DeploymentNotFoundError, DeploymentMoveError. */
export function endCanary(
  dependencies: ChangeDependencies,
  ref: DeploymentRef,
  session: ClientSession,
): Promise<Deployment> {
  const { clock } = dependencies;
  const wish = (deployment: Deployment) => {
    const as = "canary_ended" as const;
    return deployment.canary && { ...wishCanary(deployment, undefined, clock()), as };
  };
  return changeDeployment(dependencies, { ...ref, move: "end_canary" }, wish, session);
}

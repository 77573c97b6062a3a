import type { ClientSession } from "@aiplatform/document-store";
import { type ChangeDependencies, changeDeployment, type DeploymentRef } from "./change-deployment.ts";
import type { Deployment } from "./deployment.ts";
import { wishStop } from "./moves.ts";

/** Stops what serves. Throws DeploymentNotFoundError, DeploymentMoveError. */
export function stopDeployment(
  dependencies: ChangeDependencies,
  ref: DeploymentRef,
  session: ClientSession,
): Promise<Deployment> {
  const { clock } = dependencies;
  const wish = (deployment: Deployment) => ({ ...wishStop(deployment, clock()), as: "stopped" as const });
  return changeDeployment(dependencies, { ...ref, move: "stop" }, wish, session);
}

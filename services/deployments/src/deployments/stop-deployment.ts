import type { ClientSession } from "@aiplatform/document-store";
import { type ChangeDependencies, changeDeployment } from "./change-deployment.ts";
import type { Deployment, DeploymentRef } from "./deployment.ts";
import { toStopped } from "./transitions.ts";

/** Stops what serves. @throws DeploymentNotFoundError, DeploymentTransitionError */
export function stopDeployment(
  dependencies: ChangeDependencies,
  ref: DeploymentRef,
  session: ClientSession,
): Promise<Deployment> {
  const { clock } = dependencies;
  const transition = (deployment: Deployment) => ({ ...toStopped(deployment, clock()), as: "stopped" as const });
  return changeDeployment(dependencies, { ...ref, action: "stop" }, transition, session);
}

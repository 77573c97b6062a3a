import type { ClientSession } from "@aiplatform/document-store";
import { type ChangeDependencies, changeDeployment } from "./change-deployment.ts";
import type { Deployment, DeploymentRef } from "./deployment.ts";
import { toCanary } from "./transitions.ts";

/** Lets the current version answer everything again. @throws DeploymentNotFoundError, DeploymentTransitionError */
export function endCanary(
  dependencies: ChangeDependencies,
  ref: DeploymentRef,
  session: ClientSession,
): Promise<Deployment> {
  const { clock } = dependencies;
  const transition = (deployment: Deployment) => {
    const as = "canary_ended" as const;
    return deployment.canary && { ...toCanary(deployment, undefined, clock()), as };
  };
  return changeDeployment(dependencies, { ...ref, action: "end_canary" }, transition, session);
}

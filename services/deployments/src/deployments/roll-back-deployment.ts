import type { ClientSession } from "@aiplatform/document-store";
import { isUnderWay } from "../rollouts/rollout.ts";
import { type ChangeDependencies, changeDeployment, type PromotableRef } from "./change-deployment.ts";
import type { Deployment } from "./deployment.ts";
import { queueRollout } from "./plan-rollout.ts";
import { NothingToRollBackToError, VersionServesError } from "./transitions.ts";

/**
 * Goes back to the version that served before the current one, or to the one that is named; the canary ends.
 * @throws DeploymentNotFoundError, DeploymentTransitionError, DeploymentVersionNotFoundError, NothingToRollBackToError,
 * VersionServesError
 */
export function rollBackDeployment(
  dependencies: ChangeDependencies,
  { versionId, ...ref }: PromotableRef & { versionId: string | undefined },
  session: ClientSession,
): Promise<Deployment> {
  return changeDeployment(
    dependencies,
    { ...ref, action: "roll_back" },
    async (deployment) => {
      const targetId = versionId ?? (await formerVersionId(dependencies, deployment, session));
      const version = await dependencies.deploymentVersions.get(deployment, targetId, session);
      const { currentVersionId, desiredState, rollout } = deployment;
      const serves = desiredState === "serve" && version.id === currentVersionId && !isUnderWay(rollout.status);
      if (serves) throw new VersionServesError(version.id);
      const runConfig = { runConfig: version.runConfig };
      return {
        ...queueRollout(dependencies, { ...deployment, ...runConfig, canary: undefined }, version),
        as: "rollback",
      };
    },
    session,
  );
}

async function formerVersionId(
  { rollouts }: Pick<ChangeDependencies, "rollouts">,
  { organisationId, id, currentVersionId }: Deployment,
  session: ClientSession,
): Promise<string> {
  if (currentVersionId === undefined) throw new NothingToRollBackToError(id);
  const former = await rollouts.lastSucceeded(organisationId, { deploymentId: id, notOf: currentVersionId }, session);
  if (!former) throw new NothingToRollBackToError(id);
  return former.versionId;
}

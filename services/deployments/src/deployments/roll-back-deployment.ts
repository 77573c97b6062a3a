import type { ClientSession } from "@aiplatform/document-store";
import { type ChangeDependencies, changeDeployment, type DeploymentRef } from "./change-deployment.ts";
import type { Deployment } from "./deployment.ts";
import { NothingToRollBackToError, VersionServesError } from "./moves.ts";
import { rollOut, versionOf } from "./roll-out.ts";
import { isUnderWay } from "./rollout.ts";

/**
 * Goes back to the version that served before the current one, or to the one that is named; the canary ends. Throws
 * DeploymentNotFoundError, DeploymentMoveError, DeploymentVersionNotFoundError, NothingToRollBackToError, VersionServesError.
 */
export function rollBackDeployment(
  dependencies: ChangeDependencies,
  { versionId, ...ref }: DeploymentRef & { versionId: string | undefined },
  session: ClientSession,
): Promise<Deployment> {
  return changeDeployment(
    dependencies,
    { ...ref, move: "roll_back" },
    async (deployment) => {
      const wantedId = versionId ?? (await formerVersionId(dependencies, deployment, session));
      const version = await versionOf(dependencies, deployment, wantedId, session);
      const { currentVersionId, wish, rollout } = deployment;
      const serves = wish === "serve" && version.id === currentVersionId && !isUnderWay(rollout.status);
      if (serves) throw new VersionServesError(version.id);
      const runConfig = { runConfig: version.runConfig };
      return { ...rollOut(dependencies, { ...deployment, ...runConfig, canary: undefined }, version), as: "rollback" };
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

import type { Outbox } from "@aiplatform/document-store";
import type { DeploymentsDependencies } from "../dependencies.ts";
import type { Deployment } from "../deployments/deployment.ts";
import { deploymentStatusChanged, rolloutEnded } from "../deployments/deployment-events.ts";
import { isUnderWay } from "../deployments/rollout.ts";
import type { CaredDeploymentStore } from "./cared-deployment-store.ts";
import type { Decision, DeploymentMove } from "./situation.ts";

/** What writing a decision needs. */
export interface DecisionWriter
  extends Pick<DeploymentsDependencies, "deployments" | "deploymentVersions" | "rollouts" | "transaction" | "changes"> {
  cared: CaredDeploymentStore;
  outbox: Pick<Outbox, "stage">;
  /** Who holds the leases. */
  holder: string;
}

/** Fields whose changes are told to those who pass predictions on or show deployments. */
const announced: readonly (keyof DeploymentMove)[] = ["status", "currentVersionId", "canary", "endpoints", "rollout"];

/** Whether a decision ends the rollout under way. */
export function endsRollout({ rollout }: Pick<Deployment, "rollout">, { changes }: Pick<Decision, "changes">): boolean {
  return isUnderWay(rollout.status) && changes.rollout !== undefined && !isUnderWay(changes.rollout.status);
}

/** Writes what a decision changes, with its events. Answers false where generation or lease has changed since. */
export async function writeDecision(
  { cared, rollouts, outbox, transaction, changes: waiting, holder }: DecisionWriter,
  deployment: Deployment,
  decision: Pick<Decision, "changes" | "rolledBackVersionId">,
  now: Date,
): Promise<boolean> {
  const { id, organisationId, generation } = deployment;
  const { changes, rolledBackVersionId } = decision;
  const isAnnounced = announced.some((field) => field in changes);
  const after = { ...deployment, ...changes };
  const isWritten = await transaction(async (session) => {
    const change = { changes, updatedAt: isAnnounced ? now : undefined };
    if (!(await cared.change(deployment, { holder, generation }, change, session))) return false;
    if (changes.rollout) {
      const { id: rolloutId, status, error } = changes.rollout;
      const times = isUnderWay(status) ? { startedAt: now } : { endedAt: now };
      const move = { id: rolloutId, from: deployment.rollout.status, status, error, ...times };
      await rollouts.move(organisationId, move, session);
    }
    if (rolledBackVersionId !== undefined) {
      await rollouts.markRolledBack(organisationId, { deploymentId: id, versionId: rolledBackVersionId }, session);
    }
    if (endsRollout(deployment, decision)) await outbox.stage(session, rolloutEnded(after, after.rollout, now));
    if (isAnnounced) await outbox.stage(session, deploymentStatusChanged(after, now));
    return true;
  });
  if (isWritten) waiting.tell(id);
  return isWritten;
}

/** Deletes the documents of a deployment without instances, if the holder still has its lease. */
export async function deleteDeployment(
  { cared, deployments, deploymentVersions, rollouts, transaction, outbox, changes, holder }: DecisionWriter,
  deployment: Deployment,
  now: Date,
): Promise<boolean> {
  const { id, organisationId, generation } = deployment;
  const isDeleted = await transaction(async (session) => {
    const nothing = { changes: {}, updatedAt: now };
    if (!(await cared.change(deployment, { holder, generation }, nothing, session))) return false;
    await deployments.unlink(organisationId, id, session);
    await deploymentVersions.deleteAll(organisationId, id, session);
    await rollouts.deleteAll(organisationId, id, session);
    await deployments.delete(organisationId, id, session);
    await outbox.stage(session, deploymentStatusChanged(deployment, now));
    return true;
  });
  if (isDeleted) changes.tell(id);
  return isDeleted;
}

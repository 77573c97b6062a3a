import type { DomainPlatform } from "@aiplatform/service-kit";
import type { ChangeDependencies } from "../deployments/change-deployment.ts";
import type { Deployment } from "../deployments/deployment.ts";
import { deploymentStatusChanged } from "../deployments/deployment-events.ts";
import { isUnderWay } from "../rollouts/rollout.ts";
import { rolloutEnded } from "../rollouts/rollout-events.ts";
import type { Decision, StatusPatch } from "./decide.ts";
import type { LeasedDeploymentStore } from "./leased-deployment-store.ts";

export interface StatusDependencies
  extends Pick<ChangeDependencies, "deployments" | "deploymentVersions" | "rollouts" | "changes">,
    Pick<DomainPlatform, "outbox" | "transaction"> {
  leased: LeasedDeploymentStore;
  holder: string;
}

/** Fields whose changes are told to those who pass predictions on or show deployments. */
const announced: readonly (keyof StatusPatch)[] = ["status", "currentVersionId", "canary", "endpoints", "rollout"];

/** Whether a decision ends the rollout under way. */
export function endsRollout({ rollout }: Pick<Deployment, "rollout">, { patch }: Pick<Decision, "patch">): boolean {
  return isUnderWay(rollout.status) && patch.rollout !== undefined && !isUnderWay(patch.rollout.status);
}

/** Writes what a decision changes, with its events. Answers false where generation or lease has changed since. */
export async function writeStatus(
  { leased, rollouts, outbox, transaction, changes, holder }: StatusDependencies,
  deployment: Deployment,
  decision: Pick<Decision, "patch" | "rolledBackVersionId">,
  now: Date,
): Promise<boolean> {
  const { id, organisationId, generation } = deployment;
  const { patch, rolledBackVersionId } = decision;
  const isAnnounced = announced.some((field) => field in patch);
  const after = { ...deployment, ...patch };
  const isWritten = await transaction(async (session) => {
    const update = { patch, updatedAt: isAnnounced ? now : undefined };
    if (!(await leased.updateStatus(deployment, { holder, generation }, update, session))) return false;
    if (patch.rollout) {
      const { id: rolloutId, status, error } = patch.rollout;
      const times = isUnderWay(status) ? { startedAt: now } : { endedAt: now };
      const transition = { id: rolloutId, from: deployment.rollout.status, status, error, ...times };
      await rollouts.transition(organisationId, transition, session);
    }
    if (rolledBackVersionId !== undefined) {
      await rollouts.markRolledBack(organisationId, { deploymentId: id, versionId: rolledBackVersionId }, session);
    }
    if (endsRollout(deployment, decision)) await outbox.stage(session, rolloutEnded(after, after.rollout, now));
    if (isAnnounced) await outbox.stage(session, deploymentStatusChanged(after, now));
    return true;
  });
  if (isWritten) changes.notify(id);
  return isWritten;
}

/** Deletes the documents of a deployment without instances, if the holder still has its lease. */
export async function finalizeDeletion(
  { leased, deployments, deploymentVersions, rollouts, transaction, outbox, changes, holder }: StatusDependencies,
  deployment: Deployment,
  now: Date,
): Promise<boolean> {
  const { id, organisationId, generation } = deployment;
  const isDeleted = await transaction(async (session) => {
    const update = { patch: {}, updatedAt: now };
    if (!(await leased.updateStatus(deployment, { holder, generation }, update, session))) return false;
    await deployments.unlink(organisationId, id, session);
    await deploymentVersions.deleteAll(organisationId, id, session);
    await rollouts.deleteAll(organisationId, id, session);
    await deployments.delete(organisationId, id, session);
    await outbox.stage(session, deploymentStatusChanged(deployment, now));
    return true;
  });
  if (isDeleted) changes.notify(id);
  return isDeleted;
}

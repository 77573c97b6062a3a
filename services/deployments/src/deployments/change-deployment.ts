import type { ClientSession } from "@aiplatform/document-store";
import type { DomainPlatform } from "@aiplatform/service-kit";
import type { DeploymentVersionStore } from "../deployment-versions/deployment-version-store.ts";
import { queuedRollout } from "../rollouts/rollout.ts";
import { rolloutEnded } from "../rollouts/rollout-events.ts";
import type { RolloutStore } from "../rollouts/rollout-store.ts";
import { type Deployment, DeploymentNotFoundError, type DeploymentRef } from "./deployment.ts";
import type { DeploymentChanges } from "./deployment-changes.ts";
import { type Change, deploymentChanged, deploymentDeleted } from "./deployment-events.ts";
import type { DeploymentStore } from "./deployment-store.ts";
import type { DeploymentsQuotas } from "./deployments-quotas.ts";
import { PromotionNotAllowedError } from "./environments.ts";
import type { InstanceMemory } from "./instance-memory.ts";
import { choosesVersion, type DeploymentAction, isTransitionNeeded, type Transition } from "./transitions.ts";

export interface ChangeDependencies extends Pick<DomainPlatform, "outbox" | "clock" | "newId"> {
  deployments: DeploymentStore;
  deploymentVersions: DeploymentVersionStore;
  rollouts: RolloutStore;
  instanceMemory: InstanceMemory;
  quotas: DeploymentsQuotas;
  changes: DeploymentChanges;
  /** From the lowest to the highest. */
  environments: readonly string[];
  /** Has the deployment reconciled at once; a signal may get lost. */
  notifyReconciler?: (ref: DeploymentRef) => void;
}

/** A deployment whose version is to change, and whether the caller may do that above the lowest environment. */
export interface PromotableRef extends DeploymentRef {
  mayPromote: boolean;
}

/** A transition, and what it is called in the events. */
export interface AnnouncedTransition extends Transition {
  as: Change | "deleted";
}

/**
 * Changes the desired state: `transition` says what becomes of the deployment; where the action is done already, or `transition`
 * answers undefined, nothing happens. Whatever ends or begins by it is stored and announced in the same session.
 * @throws DeploymentNotFoundError, PromotionNotAllowedError, DeploymentTransitionError, QuotaExceededError, and what
 * `transition` throws
 */
export async function changeDeployment(
  dependencies: ChangeDependencies,
  { action, mayPromote = false, ...ref }: DeploymentRef & Partial<PromotableRef> & { action: DeploymentAction },
  transition: (deployment: Deployment) => Promise<AnnouncedTransition | undefined> | AnnouncedTransition | undefined,
  session: ClientSession,
): Promise<Deployment> {
  const deployment = await dependencies.deployments.get(ref, session);
  const isAbove = deployment.environment !== dependencies.environments[0];
  if (isAbove && choosesVersion[action] && !mayPromote) throw new PromotionNotAllowedError(deployment.environment);
  if (!isTransitionNeeded(action, deployment)) return deployment;
  const changed = await transition(deployment);
  if (!changed) return deployment;
  await admitMemory(dependencies, { former: deployment, next: changed.deployment }, session);
  await store(dependencies, deployment, changed, session);
  return changed.deployment;
}

/** What takes no more memory than before is always admitted. */
async function admitMemory(
  { instanceMemory, quotas }: ChangeDependencies,
  { former, next }: { former: Deployment; next: Deployment },
  session: ClientSession,
): Promise<void> {
  if (next.desiredState !== "serve") return;
  const more = (await instanceMemory.of(next, session)) - (await instanceMemory.of(former, session));
  await quotas.admit(former.organisationId, { instance_memory_mb: more }, session);
}

async function store(
  { deployments, rollouts, outbox, clock, changes, notifyReconciler }: ChangeDependencies,
  former: Deployment,
  { deployment, ended, as }: AnnouncedTransition,
  session: ClientSession,
): Promise<void> {
  const { organisationId, id } = deployment;
  const time = clock();
  if (ended) {
    await rollouts.transition(organisationId, ended, session);
    await outbox.stage(session, rolloutEnded(deployment, ended, time));
  }
  const isNew = deployment.rollout.id !== former.rollout.id;
  if (isNew) {
    const { id: rolloutId, versionId, queuedAt } = deployment.rollout;
    const rollout = queuedRollout({ id: rolloutId, organisationId, deploymentId: id, versionId }, queuedAt);
    await rollouts.insert(organisationId, rollout, session);
  }
  const isWritten = await deployments.write(organisationId, deployment, former.generation, session);
  if (!isWritten) throw new DeploymentNotFoundError(id);
  const rolloutId = isNew ? deployment.rollout.id : "";
  await outbox.stage(
    session,
    as === "deleted"
      ? deploymentDeleted(deployment, time)
      : deploymentChanged(deployment, { change: as, rolloutId }, time),
  );
  session.once("ended", () => {
    changes.notify(id);
    notifyReconciler?.({ organisationId, deploymentId: id });
  });
}

import type { ClientSession } from "@aiplatform/document-store";
import type { DeploymentsDependencies } from "../dependencies.ts";
import { type Deployment, DeploymentNotFoundError } from "./deployment.ts";
import { type Change, deploymentChanged, deploymentDeleted, rolloutEnded } from "./deployment-events.ts";
import { isToDo, type Move, type Wished } from "./moves.ts";
import { queuedRollout } from "./rollout.ts";

export type ChangeDependencies = Pick<
  DeploymentsDependencies,
  "deployments" | "deploymentVersions" | "rollouts" | "outbox" | "clock" | "newId" | "changes" | "wakeController"
>;

/** Which deployment. */
export interface DeploymentRef {
  organisationId: string;
  deploymentId: string;
}

/** A wish, and what it is called in the events. */
export interface AnnouncedWish extends Wished {
  as: Change | "deleted";
}

/**
 * Makes a move: `wish` says what becomes of the deployment; where the move is done already, or `wish` says nothing, nothing
 * happens. Whatever ends or begins by it is stored and announced in the same session. Throws DeploymentNotFoundError, DeploymentMoveError, and what
 * `wish` throws.
 */
export async function changeDeployment(
  dependencies: ChangeDependencies,
  { organisationId, deploymentId, move }: DeploymentRef & { move: Move },
  wish: (deployment: Deployment) => Promise<AnnouncedWish | undefined> | AnnouncedWish | undefined,
  session: ClientSession,
): Promise<Deployment> {
  const deployment = await dependencies.deployments.find(organisationId, deploymentId, session);
  if (!deployment) throw new DeploymentNotFoundError(deploymentId);
  if (!isToDo(move, deployment)) return deployment;
  const wished = await wish(deployment);
  if (!wished) return deployment;
  await keep(dependencies, deployment, wished, session);
  return wished.deployment;
}

async function keep(
  { deployments, rollouts, outbox, clock, changes, wakeController }: ChangeDependencies,
  former: Deployment,
  { deployment, ended, as }: AnnouncedWish,
  session: ClientSession,
): Promise<void> {
  const { organisationId, id } = deployment;
  const time = clock();
  if (ended) {
    await rollouts.move(organisationId, ended, session);
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
    changes.tell(id);
    wakeController?.(organisationId, id);
  });
}

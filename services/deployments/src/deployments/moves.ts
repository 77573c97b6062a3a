import type { Deployment, DeploymentStatus, LatestRollout, Wish } from "./deployment.ts";
import { isUnderWay, type Rollout, rolloutError } from "./rollout.ts";

/** What may be asked of a deployment that is there. */
export type Move =
  | "roll_out"
  | "update"
  | "roll_back"
  | "set_canary"
  | "end_canary"
  | "promote"
  | "stop"
  | "start"
  | "delete";

/** Whether a move does something, is done already, or is refused. */
export type Answer = "goes" | "done" | "refused";

/** What each move means to what is wanted so far. */
export const answers: Readonly<Record<Move, Readonly<Record<Wish, Answer>>>> = {
  roll_out: { serve: "goes", stopped: "goes", deleted: "refused" },
  update: { serve: "goes", stopped: "goes", deleted: "refused" },
  roll_back: { serve: "goes", stopped: "goes", deleted: "refused" },
  set_canary: { serve: "goes", stopped: "refused", deleted: "refused" },
  end_canary: { serve: "goes", stopped: "done", deleted: "refused" },
  promote: { serve: "goes", stopped: "refused", deleted: "refused" },
  stop: { serve: "goes", stopped: "done", deleted: "refused" },
  start: { serve: "done", stopped: "goes", deleted: "refused" },
  delete: { serve: "goes", stopped: "goes", deleted: "done" },
};

/** Status of a deployment for which a rollout was queued: what serves goes on. */
export const statusOnceQueued: Readonly<Record<DeploymentStatus, DeploymentStatus>> = {
  Pending: "Pending",
  Deploying: "Pending",
  Running: "Running",
  Updating: "Updating",
  Unhealthy: "Unhealthy",
  Stopped: "Pending",
  Failed: "Pending",
  Deleting: "Deleting",
};

/** The deployment is stopped, or being deleted: what is asked of it cannot be done. */
export class DeploymentMoveError extends Error {
  override name = "DeploymentMoveError";
  readonly deploymentId: string;
  readonly move: Move;
  readonly wish: Wish;
  constructor(move: Move, { id, wish }: Pick<Deployment, "id" | "wish">) {
    super(wish === "deleted" ? "The deployment is being deleted" : "The deployment is stopped");
    this.deploymentId = id;
    this.move = move;
    this.wish = wish;
  }
}

/** Nothing of the deployment serves yet. */
export class NothingServesError extends Error {
  override name = "NothingServesError";
  readonly deploymentId: string;
  constructor(deploymentId: string) {
    super("No version of the deployment has served yet");
    this.deploymentId = deploymentId;
  }
}

/** There is no version to go back to. */
export class NothingToRollBackToError extends Error {
  override name = "NothingToRollBackToError";
  readonly deploymentId: string;
  constructor(deploymentId: string) {
    super("The deployment has no earlier version that served");
    this.deploymentId = deploymentId;
  }
}

/** The version that is asked for serves already. */
export class VersionServesError extends Error {
  override name = "VersionServesError";
  readonly versionId: string;
  constructor(versionId: string) {
    super("The version serves already");
    this.versionId = versionId;
  }
}

/** Whether a move is to be made; false when it is done already. Throws DeploymentMoveError. */
export function isToDo(move: Move, deployment: Pick<Deployment, "id" | "wish">): boolean {
  const answer = answers[move][deployment.wish];
  if (answer === "refused") throw new DeploymentMoveError(move, deployment);
  return answer === "goes";
}

/** How a rollout under way ends because of a new wish; undefined when none is under way. */
export type EndedRollout = Pick<Rollout, "id" | "status" | "error" | "endedAt"> & { from: LatestRollout["status"] };

/** A deployment with a new wish, and the rollout that ended thereby. */
export interface Wished {
  deployment: Deployment;
  ended: EndedRollout | undefined;
}

/** A version is to serve. */
export function wishVersion(
  deployment: Deployment,
  {
    rolloutId,
    versionId,
    modelVersionId,
  }: { rolloutId: string; versionId: string; modelVersionId: string | undefined },
  time: Date,
): Wished {
  const { currentVersionId, status } = deployment;
  const first = currentVersionId === undefined ? { modelVersionId } : {};
  return {
    deployment: {
      ...wished(deployment, "serve", time),
      ...first,
      status: statusOnceQueued[status],
      targetModelVersionId: modelVersionId,
      rollout: { id: rolloutId, versionId, status: "Queued", error: undefined, queuedAt: time },
    },
    ended: endOf(deployment, { status: "Superseded", error: undefined }, time),
  };
}

/** Nothing is to serve. */
export function wishStop(deployment: Deployment, time: Date): Wished {
  const ended = endOf(deployment, cancelled("the deployment was stopped"), time);
  return { deployment: withEnd({ ...wished(deployment, "stopped", time), canary: undefined }, ended), ended };
}

/** The deployment is to go. */
export function wishDeletion(deployment: Deployment, time: Date): Wished {
  const ended = endOf(deployment, cancelled("the deployment was deleted"), time);
  const next = { ...wished(deployment, "deleted", time), status: "Deleting" as const, canary: undefined };
  return { deployment: withEnd(next, ended), ended };
}

/** Another share, or none, for a version beside the current one. */
export function wishCanary(deployment: Deployment, canary: Deployment["canary"], time: Date): Wished {
  return { deployment: { ...wished(deployment, "serve", time), canary }, ended: undefined };
}

function wished(deployment: Deployment, wish: Wish, time: Date): Deployment {
  return { ...deployment, wish, generation: deployment.generation + 1, updatedAt: time };
}

function cancelled(why: string): Pick<Rollout, "status" | "error"> {
  return { status: "Failed", error: rolloutError("Cancelled", why) };
}

function endOf({ rollout }: Deployment, end: Pick<Rollout, "status" | "error">, time: Date): EndedRollout | undefined {
  return isUnderWay(rollout.status) ? { id: rollout.id, from: rollout.status, ...end, endedAt: time } : undefined;
}

function withEnd(deployment: Deployment, ended: EndedRollout | undefined): Deployment {
  if (!ended) return deployment;
  const { status, error } = ended;
  return { ...deployment, rollout: { ...deployment.rollout, status, error } };
}

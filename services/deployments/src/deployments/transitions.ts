import { isUnderWay, type Rollout, rolloutError } from "../rollouts/rollout.ts";
import {
  type Deployment,
  DeploymentError,
  type DeploymentStatus,
  type DesiredState,
  type LatestRollout,
} from "./deployment.ts";

/** What may be asked of a deployment that is there. */
export type DeploymentAction =
  | "roll_out"
  | "update"
  | "roll_back"
  | "set_canary"
  | "end_canary"
  | "promote"
  | "stop"
  | "start"
  | "delete";

/** Whether an action changes something, is done already, or is refused. */
export type TransitionRule = "allowed" | "done" | "refused";

/** What each action means to the desired state. */
export const transitionRules: Readonly<Record<DeploymentAction, Readonly<Record<DesiredState, TransitionRule>>>> = {
  roll_out: { serve: "allowed", stopped: "allowed", deleted: "refused" },
  update: { serve: "allowed", stopped: "allowed", deleted: "refused" },
  roll_back: { serve: "allowed", stopped: "allowed", deleted: "refused" },
  set_canary: { serve: "allowed", stopped: "refused", deleted: "refused" },
  end_canary: { serve: "allowed", stopped: "done", deleted: "refused" },
  promote: { serve: "allowed", stopped: "refused", deleted: "refused" },
  stop: { serve: "allowed", stopped: "done", deleted: "refused" },
  start: { serve: "done", stopped: "allowed", deleted: "refused" },
  delete: { serve: "allowed", stopped: "allowed", deleted: "done" },
};

/** Actions that decide which version serves: above the lowest environment they are promotions. */
export const choosesVersion: Readonly<Record<DeploymentAction, boolean>> = {
  roll_out: true,
  update: true,
  roll_back: true,
  set_canary: true,
  end_canary: false,
  promote: true,
  stop: false,
  start: false,
  delete: false,
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
export class DeploymentTransitionError extends DeploymentError {
  override name = "DeploymentTransitionError";
  readonly action: DeploymentAction;
  readonly desiredState: DesiredState;
  constructor(action: DeploymentAction, { id, desiredState }: Pick<Deployment, "id" | "desiredState">) {
    super(id, desiredState === "deleted" ? "The deployment is being deleted" : "The deployment is stopped");
    this.action = action;
    this.desiredState = desiredState;
  }
}

export class NothingServesError extends DeploymentError {
  override name = "NothingServesError";
  constructor(deploymentId: string) {
    super(deploymentId, "No version of the deployment has served yet");
  }
}

export class NothingToRollBackToError extends DeploymentError {
  override name = "NothingToRollBackToError";
  constructor(deploymentId: string) {
    super(deploymentId, "The deployment has no earlier version that served");
  }
}

export class VersionServesError extends Error {
  override name = "VersionServesError";
  readonly versionId: string;
  constructor(versionId: string) {
    super("The version serves already");
    this.versionId = versionId;
  }
}

/** Whether an action is to be taken; false when it is done already. @throws DeploymentTransitionError */
export function isTransitionNeeded(
  action: DeploymentAction,
  deployment: Pick<Deployment, "id" | "desiredState">,
): boolean {
  const rule = transitionRules[action][deployment.desiredState];
  if (rule === "refused") throw new DeploymentTransitionError(action, deployment);
  return rule === "allowed";
}

/** How a rollout under way ends because of a new desired state; undefined when none is under way. */
export type EndedRollout = Pick<Rollout, "id" | "status" | "error" | "endedAt"> & { from: LatestRollout["status"] };

/** A deployment with a new desired state, and the rollout that this ends. */
export interface Transition {
  deployment: Deployment;
  ended: EndedRollout | undefined;
}

/** A version is to serve. */
export function toRollout(
  deployment: Deployment,
  {
    rolloutId,
    versionId,
    modelVersionId,
  }: { rolloutId: string; versionId: string; modelVersionId: string | undefined },
  time: Date,
): Transition {
  const { currentVersionId, status } = deployment;
  const first = currentVersionId === undefined ? { modelVersionId } : {};
  return {
    deployment: {
      ...withDesiredState(deployment, "serve", time),
      ...first,
      status: statusOnceQueued[status],
      targetModelVersionId: modelVersionId,
      rollout: { id: rolloutId, versionId, status: "Queued", error: undefined, queuedAt: time },
    },
    ended: endOf(deployment, { status: "Superseded", error: undefined }, time),
  };
}

/** Nothing is to serve. */
export function toStopped(deployment: Deployment, time: Date): Transition {
  const ended = endOf(deployment, cancelled("the deployment was stopped"), time);
  return { deployment: withEnd({ ...withDesiredState(deployment, "stopped", time), canary: undefined }, ended), ended };
}

/** The deployment is to go. */
export function toDeleted(deployment: Deployment, time: Date): Transition {
  const ended = endOf(deployment, cancelled("the deployment was deleted"), time);
  const next = { ...withDesiredState(deployment, "deleted", time), status: "Deleting" as const, canary: undefined };
  return { deployment: withEnd(next, ended), ended };
}

/** Another share, or none, for a version beside the current one. */
export function toCanary(deployment: Deployment, canary: Deployment["canary"], time: Date): Transition {
  return { deployment: { ...withDesiredState(deployment, "serve", time), canary }, ended: undefined };
}

function withDesiredState(deployment: Deployment, desiredState: DesiredState, time: Date): Deployment {
  return { ...deployment, desiredState, generation: deployment.generation + 1, updatedAt: time };
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

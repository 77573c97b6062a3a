/** How a rollout goes. The last four are final. */
export type RolloutStatus = "Queued" | "InProgress" | "Succeeded" | "Failed" | "RolledBack" | "Superseded";

/** Why a rollout failed: the closed list that `rollout_error` begins with. */
export const rolloutReasons = [
  "ImagePullFailed",
  "ModelLoadFailed",
  "ArtifactMissing",
  "InvalidBundle",
  "ResourcesUnavailable",
  "HealthCheckFailed",
  "Timeout",
  "Cancelled",
] as const;

export type RolloutReason = (typeof rolloutReasons)[number];

/** One change of the version that is to serve. */
export interface Rollout {
  /** The `rollout_request_id`. */
  id: string;
  organisationId: string;
  deploymentId: string;
  versionId: string;
  status: RolloutStatus;
  /** `Reason: message` when it failed. */
  error: string | undefined;
  queuedAt: Date;
  /** When a reconciler began with it. */
  startedAt: Date | undefined;
  endedAt: Date | undefined;
}

/** A rollout that waits for a reconciler. */
export function queuedRollout(
  fields: Pick<Rollout, "id" | "organisationId" | "deploymentId" | "versionId">,
  time: Date,
): Rollout {
  return {
    ...fields,
    status: "Queued",
    error: undefined,
    queuedAt: time,
    startedAt: undefined,
    endedAt: undefined,
  };
}

/** Why a rollout failed. */
export interface RolloutFailure {
  reason: RolloutReason;
  message: string;
}

/** From which state a rollout may go to which. */
const transitions: Readonly<Record<RolloutStatus, readonly RolloutStatus[]>> = {
  Queued: ["InProgress", "Failed", "Superseded"],
  InProgress: ["Succeeded", "Failed", "Superseded"],
  Succeeded: ["RolledBack"],
  Failed: [],
  RolledBack: [],
  Superseded: [],
};

/** A rollout cannot go from the one state to the other. */
export class RolloutTransitionError extends Error {
  override name = "RolloutTransitionError";
  readonly rolloutId: string;
  readonly from: RolloutStatus;
  readonly to: RolloutStatus;
  constructor(rolloutId: string, { from, to }: { from: RolloutStatus; to: RolloutStatus }) {
    super(`A rollout that is ${from} cannot become ${to}`);
    this.rolloutId = rolloutId;
    this.from = from;
    this.to = to;
  }
}

/** Whether a rollout may go from one state to another. */
export function canTransition(from: RolloutStatus, to: RolloutStatus): boolean {
  return transitions[from].includes(to);
}

/** Whether a rollout is still to end. */
export function isUnderWay(status: RolloutStatus): boolean {
  return status === "Queued" || status === "InProgress";
}

/** `rollout_error` of a failed rollout, at most 1,000 characters. */
export function rolloutError(reason: RolloutReason, message: string): string {
  const maxLength = 1_000;
  const text = `${reason}: ${message}`;
  return text.length > maxLength ? `${text.slice(0, maxLength - 1)}…` : text;
}

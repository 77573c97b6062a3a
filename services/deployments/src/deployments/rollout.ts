import type { RolloutStatus } from "./deployment.ts";

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

/** One wish that a version serve. */
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
  /** When a controller began with it. */
  startedAt: Date | undefined;
  endedAt: Date | undefined;
}

/** A rollout that waits for a controller. */
export function queuedRollout(
  wanted: Pick<Rollout, "id" | "organisationId" | "deploymentId" | "versionId">,
  time: Date,
): Rollout {
  return {
    ...wanted,
    status: "Queued",
    error: undefined,
    queuedAt: time,
    startedAt: undefined,
    endedAt: undefined,
  };
}

/** From which state a rollout may go to which. */
const moves: Readonly<Record<RolloutStatus, readonly RolloutStatus[]>> = {
  Queued: ["InProgress", "Failed", "Superseded"],
  InProgress: ["Succeeded", "Failed", "Superseded"],
  Succeeded: ["RolledBack"],
  Failed: [],
  RolledBack: [],
  Superseded: [],
};

/** A rollout cannot go from the one state to the other. */
export class RolloutMoveError extends Error {
  override name = "RolloutMoveError";
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
export function canMove(from: RolloutStatus, to: RolloutStatus): boolean {
  return moves[from].includes(to);
}

/** Whether a rollout is still to end. */
export function isUnderWay(status: RolloutStatus): boolean {
  return status === "Queued" || status === "InProgress";
}

/** `rollout_error` of a failed rollout, at most 1,000 characters. */
export function rolloutError(reason: RolloutReason, message: string): string {
  const longest = 1_000;
  const text = `${reason}: ${message}`;
  return text.length > longest ? `${text.slice(0, longest - 1)}…` : text;
}

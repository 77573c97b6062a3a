import type { Artifact, Checkpoint, NewSegment, SupervisionLease } from "./job-entry.ts";
import type { JobState } from "./job-state.ts";
import type { OverridesInForce } from "./overrides-in-force.ts";
import { PendingCommands } from "./pending-commands.ts";

export interface Segment extends NewSegment {
  startedAt: Date;
  endedAt?: Date;
  /** Step of the checkpoint it ended at, where the log knows it. */
  endStep?: number;
  /** Points of higher steps were archived by a later rollback or warm restart. */
  archivedFromStep?: number;
}

/** A resume that a pause has asked for. */
export interface ScheduledResume {
  at: Date;
  /** The pause. */
  commandId: string;
  sequence: number;
  /** Fencing epoch under which it was asked for. */
  epoch: number;
}

/** The fold of a job's log up to `position`. Immutable. */
export interface JobSnapshot {
  /** Newest position in the log; 0: nothing was ever decided. */
  position: number;
  state: JobState;
  /** When the state was entered; absent while nothing has changed since the run was created. */
  stateSince?: Date;
  /** Last state that was not transitional; a refused command leads back to it. */
  settledState: JobState;
  stateDetail: string | undefined;
  /** Sequence of the newest command; 0: none. */
  lastSequence: number;
  pending: PendingCommands;
  segments: readonly Segment[];
  /** Each change of the overrides in force, oldest first. */
  overrides: readonly OverridesInForce[];
  /** Oldest first, the pruned ones included. */
  checkpoints: readonly Checkpoint[];
  /** What the newest pause has saved; `resume` goes on from it. */
  pauseCheckpointId: string | undefined;
  /** Undefined: the job stays as it is until a command comes. */
  scheduledResume: ScheduledResume | undefined;
  artifact?: Artifact;
  /** The newest lease, active or not. */
  lease?: SupervisionLease;
  /** Highest fencing epoch given out; 0: none. */
  epoch: number;
  attachment?: { id: string; at: Date };
  /** Attachments that were replaced, newest last; a process with one of them has to stop. */
  replacedAttachments: readonly string[];
  /** Time of the trainer's last entry in the log. */
  trainerSeenAt?: Date;
}

/** A job about which nothing was decided yet. */
export const initialJob: JobSnapshot = {
  position: 0,
  state: "queued",
  settledState: "queued",
  stateDetail: undefined,
  pauseCheckpointId: undefined,
  scheduledResume: undefined,
  lastSequence: 0,
  pending: PendingCommands.none,
  segments: [],
  overrides: [],
  checkpoints: [],
  epoch: 0,
  replacedAttachments: [],
};

/** Index of the active segment; 0 before the first has begun. */
export function activeSegmentIndex(job: JobSnapshot): number {
  return job.segments.at(-1)?.index ?? 0;
}

/** The lease if it is active at that time. */
export function activeLease(job: JobSnapshot, at: Date): SupervisionLease | undefined {
  return job.lease && !job.lease.ended && at < job.lease.expiresAt ? job.lease : undefined;
}

/** The checkpoints that commands can use, oldest first. */
export function keptCheckpoints({ checkpoints }: Pick<JobSnapshot, "checkpoints">): readonly Checkpoint[] {
  return checkpoints.filter(({ prunedAt }) => prunedAt === undefined);
}

export function checkpointOf(job: JobSnapshot, id: string): Checkpoint | undefined {
  return job.checkpoints.find((checkpoint) => checkpoint.id === id);
}

/** The attachment was replaced. */
export class AttachmentLostError extends Error {
  override name = "AttachmentLostError";
  constructor() {
    super("another process is the job's trainer now");
  }
}

/** @throws AttachmentLostError unless this attachment is the job's trainer */
export function assertAttached(job: JobSnapshot, attachmentId: string): void {
  if (job.attachment?.id !== attachmentId) throw new AttachmentLostError();
}

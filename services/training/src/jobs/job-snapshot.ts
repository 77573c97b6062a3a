import { stateAfter } from "../control-commands/control-command.ts";
import type { Artifact, Checkpoint, NewSegment, SupervisionLease } from "./job-entry.ts";
import type { JobState } from "./job-state.ts";
import { PendingCommands } from "./pending-commands.ts";

/** A stretch of training without a break. */
export interface Segment extends NewSegment {
  startedAt: Date;
  endedAt?: Date;
  /** Step of the checkpoint it ended at, where the log knows it. */
  endStep?: number;
  /** Points of higher steps were archived by a later rollback or warm restart. */
  archivedFromStep?: number;
}

/** A job as its log has left it, up to `position`. Immutable. */
export interface JobSnapshot {
  /** Newest position in the log; 0: nothing was ever decided. */
  position: number;
  state: JobState;
  /** When the state was entered; absent while nothing has changed since the run was created. */
  stateSince?: Date;
  /** Last state that was no passage of a command; a refused command leads back to it. */
  settledState: JobState;
  stateDetail: string | undefined;
  /** Sequence of the newest command; 0: none. */
  lastSequence: number;
  pending: PendingCommands;
  segments: readonly Segment[];
  /** Oldest first. */
  checkpoints: readonly Checkpoint[];
  /** What the newest pause has saved; `resume` goes on from it. */
  pauseCheckpointId: string | undefined;
  artifact?: Artifact;
  /** The newest lease, dead or alive. */
  lease?: SupervisionLease;
  /** Highest fencing epoch given out; 0: none. */
  epoch: number;
  attachment?: { id: string; at: Date };
  /** Attachments that were replaced, newest last; a process that bears one has to stop. */
  replacedAttachments: readonly string[];
  /** When the trainer was last heard of through the log. */
  trainerSeenAt?: Date;
}

/** A job about which nothing was decided yet. */
export const untouchedJob: JobSnapshot = {
  position: 0,
  state: "queued",
  settledState: "queued",
  stateDetail: undefined,
  pauseCheckpointId: undefined,
  lastSequence: 0,
  pending: PendingCommands.none,
  segments: [],
  checkpoints: [],
  epoch: 0,
  replacedAttachments: [],
};

/** The job's state after all pending commands. */
export function projectedState(job: JobSnapshot): JobState {
  return job.pending.last ? stateAfter(job.pending.last.action) : job.state;
}

/** Index of the active segment; 0 before the first has begun. */
export function activeSegmentIndex(job: JobSnapshot): number {
  return job.segments.at(-1)?.index ?? 0;
}

/** The lease if it lives at that time. */
export function liveLease(job: JobSnapshot, at: Date): SupervisionLease | undefined {
  return job.lease && !job.lease.ended && at < job.lease.expiresAt ? job.lease : undefined;
}

/** The checkpoint of that id. */
export function checkpointOf(job: JobSnapshot, id: string): Checkpoint | undefined {
  return job.checkpoints.find((checkpoint) => checkpoint.id === id);
}

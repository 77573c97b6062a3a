import type { Action, Checkpoint } from "../job-log/job-entry.ts";
import { lineageOf } from "../job-log/job-fold.ts";
import { checkpointOf, type JobSnapshot, keptCheckpoints } from "../job-log/job-snapshot.ts";
import { bestOrNewest } from "../runs/best-checkpoint.ts";
import type { JobDeclaration } from "../runs/run.ts";
import { projectedState } from "./control-command.ts";

/** The checkpoint that a command would use now, or why there is none. Neither: the action needs none. */
export interface CheckpointChoice {
  checkpoint?: Checkpoint;
  refusal?: string;
}

/** Chooses for `action`, when `checkpointId` was asked for or none in particular. */
export function chooseCheckpoint(
  job: JobSnapshot,
  declaration: JobDeclaration,
  { action, checkpointId }: { action: Action; checkpointId?: string },
): CheckpointChoice {
  const chosen = checkpointId === undefined ? chooseAmong(job, declaration, action) : checkpointOf(job, checkpointId);
  if (checkpointId !== undefined && !chosen) return { refusal: "unknown checkpoint" };
  if (chosen?.prunedAt) return { refusal: "checkpoint was pruned" };
  if (action === "resume") return resumable(job, chosen);
  // A pause that is still ahead will leave a checkpoint; what can be restored is checked again when it has.
  return chosen ? { checkpoint: chosen } : pauseIsAhead(job) ? {} : { refusal: "no checkpoint" };
}

function resumable(job: JobSnapshot, chosen: Checkpoint | undefined): CheckpointChoice {
  const paused = job.state === "paused" || job.state === "restoring";
  if (chosen && !(paused && chosen.id === job.pauseCheckpointId)) return { refusal: "not the pause checkpoint" };
  // A job that was paused before its first step has nothing to restore, and nothing is missing.
  const saved = paused && job.pauseCheckpointId ? checkpointOf(job, job.pauseCheckpointId) : undefined;
  return saved ? { checkpoint: saved } : {};
}

function pauseIsAhead(job: JobSnapshot): boolean {
  return projectedState(job) === "paused" && job.pending.size > 0;
}

function chooseAmong(job: JobSnapshot, { primaryMetric }: JobDeclaration, action: Action): Checkpoint | undefined {
  switch (action) {
    case "rollback":
      return newestBeforeHead(job);
    case "warm_restart":
    case "finish_from_checkpoint":
      return bestOrNewest(keptCheckpoints(job), primaryMetric);
    default:
      return undefined;
  }
}

/**
 * Newest checkpoint on the way to the active segment's head. A running job has gone on since its last checkpoint; a
 * paused one is at its pause checkpoint, which is the head and not before it.
 */
function newestBeforeHead(job: JobSnapshot): Checkpoint | undefined {
  const head = job.state === "paused" && job.pauseCheckpointId ? checkpointOf(job, job.pauseCheckpointId) : undefined;
  const lineage = new Set(lineageOf(job.segments, job.segments.at(-1)?.index));
  return keptCheckpoints(job)
    .filter(({ segmentIndex, step }) => {
      const archivedFrom = job.segments[segmentIndex]?.archivedFromStep;
      const archived = archivedFrom !== undefined && step > archivedFrom;
      return (lineage.size === 0 || lineage.has(segmentIndex)) && !archived && !(head && step >= head.step);
    })
    .reduce<Checkpoint | undefined>((newest, each) => (newest && newest.step > each.step ? newest : each), undefined);
}

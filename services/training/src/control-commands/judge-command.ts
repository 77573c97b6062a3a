import type { Action } from "../job-log/job-entry.ts";
import { cutsOfGoingBack } from "../job-log/job-fold.ts";
import { activeLease, activeSegmentIndex, checkpointOf, type JobSnapshot } from "../job-log/job-snapshot.ts";
import type { JobState } from "../job-log/job-state.ts";
import type { JobDeclaration } from "../runs/run.ts";
import { type LeaseProof, proofRefusal } from "../supervision-leases/supervision-lease.ts";
import { chooseCheckpoint } from "./checkpoint-choice.ts";
import { admissionOf, projectedState, usesCheckpoint } from "./control-command.ts";
import { overridesRefusal } from "./runtime-overrides.ts";

export interface CommandRequest {
  action: Action;
  checkpointId?: string;
  /** JSON text of an object. */
  overrides: string;
  proof?: LeaseProof;
  /** Whether the caller is a member who may take a supervised job over. */
  mayOverride: boolean;
}

export interface Judgement {
  status: "pending" | "applied" | "rejected";
  detail?: string;
  /** The checkpoint it would use now. */
  checkpointId?: string;
  /** Pending commands that it supersedes. */
  superseded: number[];
  /** Whether it revokes the active lease. */
  takesOver: boolean;
}

/** Judges a command on the job's projected state: after every pending command. */
export function judgeCommand(
  job: JobSnapshot,
  declaration: JobDeclaration,
  request: CommandRequest,
  at: Date,
): Judgement {
  const takesOver = takesSupervisionOver(job, request, at);
  const { admission, state } = admissionNow(job, request.action);
  const refusal =
    supervisionRefusal(job, request, at, takesOver) ??
    (admission === "R" ? `not possible while ${state}` : undefined) ??
    overridesRefusal(request.action, declaration.overrides, request.overrides);
  if (refusal) return rejected(refusal);
  if (admission === "N") return { status: "applied", detail: `already ${state}`, superseded: [], takesOver };
  const { checkpoint, refusal: missing } = usesCheckpoint(request.action)
    ? chooseCheckpoint(job, declaration, request)
    : {};
  if (missing) return rejected(missing);
  const superseded = request.action === "abort" ? job.pending.sequences() : [];
  return { status: "pending", superseded, takesOver, ...(checkpoint ? { checkpointId: checkpoint.id } : {}) };
}

function rejected(detail: string): Judgement {
  return { status: "rejected", detail, superseded: [], takesOver: false };
}

/**
 * An abort supersedes what is pending, so it is also accepted where the job could be aborted without that: a pending finish
 * does not shield a job from being aborted.
 */
function admissionNow(job: JobSnapshot, action: Action): { admission: "A" | "N" | "R"; state: JobState } {
  const projected = projectedState(job);
  const admission = admissionOf(action, projected);
  if (action === "abort" && admission === "R" && admissionOf(action, job.state) === "A") {
    return { admission: "A", state: job.state };
  }
  return { admission, state: projected };
}

/** Human takeover: a member with the right to it pauses or aborts a supervised job. */
function takesSupervisionOver(job: JobSnapshot, { action, proof, mayOverride }: CommandRequest, at: Date): boolean {
  return !proof && mayOverride && (action === "pause" || action === "abort") && activeLease(job, at) !== undefined;
}

function supervisionRefusal(
  job: JobSnapshot,
  { proof }: CommandRequest,
  at: Date,
  takesOver: boolean,
): string | undefined {
  if (proof) return proofRefusal(job, proof, at);
  return activeLease(job, at) && !takesOver ? "supervised" : undefined;
}

/**
 * Steps that going back to the checkpoint would archive. `reportedStep`: the newest step reported of the active segment;
 * a checkpoint may be ahead of it, since reports are sent in batches.
 */
export function discardedSteps(job: JobSnapshot, checkpointId: string, reportedStep = 0): number | undefined {
  const checkpoint = checkpointOf(job, checkpointId);
  if (!checkpoint) return undefined;
  const active = activeSegmentIndex(job);
  const saved = job.checkpoints.filter(({ segmentIndex }) => segmentIndex === active).map(({ step }) => step);
  const reached = Math.max(reportedStep, job.segments.at(-1)?.startStep ?? 0, ...saved);
  const kept = Math.min(checkpoint.step, ...cutsOfGoingBack(job.segments, checkpoint).values());
  return Math.max(reached - kept, 0);
}

import { checkpointOf, type JobSnapshot, liveLease, projectedState } from "../jobs/job-snapshot.ts";
import type { JobState } from "../jobs/job-state.ts";
import type { JobDeclaration } from "../runs/run.ts";
import { type LeaseProof, proofRefusal } from "../supervision-leases/lease-standing.ts";
import { chooseCheckpoint } from "./checkpoint-choice.ts";
import { type Action, admissionOf, usesCheckpoint } from "./control-command.ts";
import { overridesRefusal } from "./runtime-overrides.ts";

/** A command as wanted. */
export interface WantedCommand {
  action: Action;
  checkpointId?: string;
  /** JSON text of an object. */
  overrides: string;
  proof?: LeaseProof;
  /** Whether the caller is a member who may take a supervised job over. */
  mayOverride: boolean;
}

/** What becomes of a command. */
export interface Judgement {
  status: "pending" | "applied" | "rejected";
  detail?: string;
  /** The checkpoint it would use now. */
  checkpointId?: string;
  /** Pending commands that it supersedes. */
  superseded: number[];
  /** The live lease is revoked by it. */
  takesOver: boolean;
}

/** Judges a command on the job as it will be when every pending command is applied. */
export function judgeCommand(
  job: JobSnapshot,
  declaration: JobDeclaration,
  wanted: WantedCommand,
  at: Date,
): Judgement {
  const takesOver = takesSupervisionOver(job, wanted, at);
  const { admission, state } = admissionNow(job, wanted.action);
  const refusal =
    supervisionRefusal(job, wanted, at, takesOver) ??
    (admission === "R" ? `not possible while ${state}` : undefined) ??
    overridesRefusal(wanted.action, declaration.overrides, wanted.overrides);
  if (refusal) return rejected(refusal);
  if (admission === "N") return { status: "applied", detail: `already ${state}`, superseded: [], takesOver };
  const { checkpoint, refusal: missing } = usesCheckpoint(wanted.action)
    ? chooseCheckpoint(job, declaration, wanted)
    : {};
  if (missing) return rejected(missing);
  const superseded = wanted.action === "abort" ? job.pending.sequences() : [];
  return { status: "pending", superseded, takesOver, ...(checkpoint ? { checkpointId: checkpoint.id } : {}) };
}

function rejected(detail: string): Judgement {
  return { status: "rejected", detail, superseded: [], takesOver: false };
}

/**
 * An abort supersedes what is pending, so it also stands where the job could be aborted without that: a pending finish
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
function takesSupervisionOver(job: JobSnapshot, { action, proof, mayOverride }: WantedCommand, at: Date): boolean {
  return !proof && mayOverride && (action === "pause" || action === "abort") && liveLease(job, at) !== undefined;
}

function supervisionRefusal(
  job: JobSnapshot,
  { proof }: WantedCommand,
  at: Date,
  takesOver: boolean,
): string | undefined {
  if (proof) return proofRefusal(job, proof, at);
  return liveLease(job, at) && !takesOver ? "supervised" : undefined;
}

/** Steps of the active segment that going back to the checkpoint would archive, as far as checkpoints tell. */
export function discardedSteps(job: JobSnapshot, checkpointId: string): number | undefined {
  const checkpoint = checkpointOf(job, checkpointId);
  if (!checkpoint) return undefined;
  const reached = Math.max(
    checkpoint.step,
    ...job.checkpoints.map(({ step }) => step),
    job.segments.at(-1)?.startStep ?? 0,
  );
  return reached - checkpoint.step;
}

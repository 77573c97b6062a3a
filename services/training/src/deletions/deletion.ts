import type { JobKey } from "../job-log/job-entry.ts";

/** Something that is gone for callers, and whose data is being removed. */
export interface Deletion {
  /** The id of what was deleted. */
  id: string;
  kind: "pipeline" | "run";
  organisationId: string;
  pipelineId: string;
  deletedAt: Date;
}

/** What a deletion is to touch, and whether it happened. */
export interface DeletionOutcome {
  id: string;
  hardDeleted: boolean;
  message: string;
  runs: number;
  activeJobs: readonly JobKey[];
}

interface DeletionCase {
  kind: Deletion["kind"];
  runs: number;
  activeJobs: readonly JobKey[];
  dryRun: boolean;
}

/** One sentence for people: what the deletion did, would do, or would be refused for. */
export function impactMessage({ kind, runs, activeJobs, dryRun }: DeletionCase): string {
  const what = kind === "run" ? "The run" : `The pipeline with ${counted(runs, "run")}`;
  if (activeJobs.length > 0) return `${what} cannot be deleted: ${counted(activeJobs.length, "job")} active.`;
  return `${what} ${dryRun ? "would be" : "is"} deleted.`;
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

/** What a pass over the data of a run has found. */
export interface RunPass {
  deletedAt: Date;
  beganAt: Date;
  /** Whether events of the run still wait to be published: its log has stayed for them. */
  isUnpublished: boolean;
  /** Time after which what had begun before the deletion has ended. */
  settleMs: number;
}

/** Until a log is looked at again whose events wait to be published, ms. */
export const unpublishedPauseMs = 1_000;

/**
 * When the next pass is due; undefined: nothing of the run can be left. What had begun before the deletion may write after the first
 * pass, so one that began when all of that has ended is the last.
 */
export function nextPassAfter({ deletedAt, beganAt, isUnpublished, settleMs }: RunPass): Date | undefined {
  if (isUnpublished) return new Date(beganAt.getTime() + unpublishedPauseMs);
  const settledAt = deletedAt.getTime() + settleMs;
  return beganAt.getTime() >= settledAt ? undefined : new Date(settledAt);
}

/** States of a job, in the order of the admission table. */
export const JOB_STATES = [
  "queued",
  "preparing",
  "running",
  "held",
  "pausing",
  "paused",
  "restoring",
  "finishing",
  "aborting",
  "completed",
  "failed",
  "aborted",
] as const;

/** Where a job stands. */
export type JobState = (typeof JOB_STATES)[number];

const ENDED: ReadonlySet<JobState> = new Set(["completed", "failed", "aborted"]);
const PASSING: ReadonlySet<JobState> = new Set(["pausing", "restoring", "finishing", "aborting"]);

/** Whether the job has come to an end; only `failed` can be left again, by command. */
export function isEnded(state: JobState): boolean {
  return ENDED.has(state);
}

/** Whether the state is the passage of a command that is being applied; a refusal leads back to the state before it. */
export function isPassing(state: JobState): boolean {
  return PASSING.has(state);
}

/**
 * Moves a trainer may report by itself. `paused` and `aborted` are missing as targets: only the acknowledgement of the
 * command leads there. A new process of a job may prepare again wherever the job is not paused or at its end.
 */
export const REPORTED_MOVES: Readonly<Record<JobState, readonly JobState[]>> = {
  queued: ["preparing", "running", "held", "aborting", "failed"],
  preparing: ["running", "held", "pausing", "restoring", "aborting", "failed"],
  running: ["preparing", "held", "pausing", "restoring", "finishing", "aborting", "completed", "failed"],
  held: ["preparing", "running", "pausing", "restoring", "finishing", "aborting", "failed"],
  pausing: ["preparing", "running", "held", "restoring", "finishing", "aborting", "failed"],
  paused: ["restoring", "finishing", "aborting", "failed"],
  restoring: ["preparing", "running", "held", "pausing", "finishing", "aborting", "failed"],
  finishing: ["preparing", "running", "held", "aborting", "completed", "failed"],
  aborting: ["failed"],
  completed: [],
  failed: ["preparing", "restoring", "finishing"],
  aborted: [],
};

/** Whether a trainer may report the move. */
export function mayReport(from: JobState, to: JobState): boolean {
  return REPORTED_MOVES[from].includes(to);
}

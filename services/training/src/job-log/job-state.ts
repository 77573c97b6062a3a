/** States of a job, in the order of the admission table. */
export const jobStates = [
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

export type JobState = (typeof jobStates)[number];

const endedStates: ReadonlySet<JobState> = new Set(["completed", "failed", "aborted"]);
const transitionalStates: ReadonlySet<JobState> = new Set(["pausing", "restoring", "finishing", "aborting"]);

/** Whether the job has come to an end; only `failed` can be left again, by command. */
export function isEnded(state: JobState): boolean {
  return endedStates.has(state);
}

/** Whether a trainer has taken the job, and it is not at its end. */
export function isActive(state: JobState): boolean {
  return state !== "queued" && !isEnded(state);
}

/** Whether a command is being applied in this state; a refusal leads back to the state before it. */
export function isTransitional(state: JobState): boolean {
  return transitionalStates.has(state);
}

/**
 * Moves a trainer may report by itself. `paused` and `aborted` are missing as targets: only the acknowledgement of the
 * command leads there. A new process of a job may prepare again wherever the job is not paused or at its end.
 */
export const reportedMoves: Readonly<Record<JobState, readonly JobState[]>> = {
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

/** The table of moves has no such move. */
export class IllegalMoveError extends Error {
  override name = "IllegalMoveError";
  readonly from: JobState;
  readonly to: JobState;
  constructor(from: JobState, to: JobState) {
    super(`a trainer cannot move a job from ${from} to ${to}`);
    this.from = from;
    this.to = to;
  }
}

/** Whether a trainer may report the move. */
export function mayReport(from: JobState, to: JobState): boolean {
  return reportedMoves[from].includes(to);
}

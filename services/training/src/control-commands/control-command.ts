import { JOB_STATES, type JobState } from "../jobs/job-state.ts";

/** What a command can ask for. */
export const ACTIONS = [
  "continue",
  "pause",
  "resume",
  "rollback",
  "warm_restart",
  "finish_from_checkpoint",
  "abort",
] as const;

/** What a command asks for. */
export type Action = (typeof ACTIONS)[number];

/** Where a command stands; `applied` and `rejected` are final. */
export type CommandStatus = "pending" | "applied" | "rejected";

/** A command as it was recorded: the status is the one it was born with. */
export interface RecordedCommand {
  id: string;
  /** From 1, without gaps within the job. */
  sequence: number;
  action: Action;
  checkpointId?: string;
  /** JSON text of an object, as sent. */
  overrides: string;
  idempotencyKey: string;
  /** Of everything that makes two requests the same command. */
  fingerprint: string;
  requestedByMemberId?: string;
  /** Fencing epoch it was issued under. */
  epoch: number;
  status: CommandStatus;
  detail?: string;
  createdAt: Date;
}

/** A command as it stands. */
export interface ControlCommand extends RecordedCommand {
  appliedAt?: Date;
}

/** A = accepted, N = applied at once as there is nothing to do, R = rejected. */
export type Admission = "A" | "N" | "R";

function row(cells: string): ReadonlyMap<JobState, Admission> {
  const admissions = cells.split(" ").filter((cell): cell is Admission => /^[ANR]$/.test(cell));
  return new Map(JOB_STATES.map((state, column) => [state, admissions[column] ?? "R"]));
}

//                        q p r h p p r f a c f a
//                        u r u e a a e i b o a b
//                        e e n l u u s n o m i o
const ADMISSIONS: Readonly<Record<Action, ReadonlyMap<JobState, Admission>>> = {
  continue: /*         */ row("R R A A R R R R R R R R"),
  pause: /*            */ row("A A A A N N A R R R R R"),
  resume: /*           */ row("N N N R A A R R R R R R"),
  rollback: /*         */ row("R R A A A A R R R R A R"),
  warm_restart: /*     */ row("R R A A A A R R R R A R"),
  finish_from_checkpoint: row("R R A A A A R N R R A R"),
  abort: /*            */ row("A A A A A A A A N R R N"),
};

/** What becomes of an action when the job is in `state`. */
export function admissionOf(action: Action, state: JobState): Admission {
  return ADMISSIONS[action].get(state) ?? "R";
}

const STATE_AFTER: Readonly<Record<Action, JobState>> = {
  continue: "running",
  pause: "paused",
  resume: "running",
  rollback: "running",
  warm_restart: "running",
  finish_from_checkpoint: "completed",
  abort: "aborted",
};

/** The job's state once the action is applied. */
export function stateAfter(action: Action): JobState {
  return STATE_AFTER[action];
}

const APPLIED_FROM: Readonly<Record<Action, readonly JobState[]>> = {
  continue: ["preparing", "running", "held"],
  pause: ["queued", "preparing", "running", "held", "pausing", "paused", "restoring"],
  resume: ["preparing", "running", "pausing", "paused", "restoring"],
  rollback: ["preparing", "running", "held", "pausing", "paused", "restoring", "failed"],
  warm_restart: ["preparing", "running", "held", "pausing", "paused", "restoring", "failed"],
  finish_from_checkpoint: ["running", "held", "pausing", "paused", "finishing", "failed"],
  abort: ["queued", "preparing", "running", "held", "pausing", "paused", "restoring", "finishing", "aborting"],
};

/** Whether a trainer can have applied the action out of `state`, the passage of the action itself included. */
export function canHaveApplied(action: Action, state: JobState): boolean {
  return APPLIED_FROM[action].includes(state);
}

/** Which segment an applied action opens, if any. */
export function segmentOpenedBy(action: Action): "resume" | "rollback" | "warm_restart" | undefined {
  return action === "resume" || action === "rollback" || action === "warm_restart" ? action : undefined;
}

/** Whether the action works on a checkpoint; `continue`, `pause` and `abort` take none. */
export function usesCheckpoint(action: Action): boolean {
  return segmentOpenedBy(action) !== undefined || action === "finish_from_checkpoint";
}

/** Whether the action takes `runtime_overrides`. */
export function takesOverrides(action: Action): boolean {
  return action === "continue" || segmentOpenedBy(action) !== undefined;
}

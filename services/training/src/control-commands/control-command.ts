import { InvalidFieldsError } from "@aiplatform/service-host";
import { NotFoundError } from "@aiplatform/service-kit/not-found";
import type { Action, RecordedCommand } from "../job-log/job-entry.ts";
import type { JobSnapshot } from "../job-log/job-snapshot.ts";
import { type JobState, jobStates } from "../job-log/job-state.ts";

/** A command with its present status. */
export interface ControlCommand extends RecordedCommand {
  appliedAt?: Date;
}

/** The command does not exist, or belongs to another job: the two look the same. */
export class CommandNotFoundError extends NotFoundError {
  override name = "CommandNotFoundError";
}

/** The job has another command with this key. */
export class CommandKeyReusedError extends InvalidFieldsError {
  override name = "CommandKeyReusedError";
  constructor() {
    const description = "this idempotency key was already used for a different command";
    super([{ field: "idempotency_key", reason: "IDEMPOTENCY_KEY_REUSED", description }]);
  }
}

/** A = accepted, N = applied at once as there is nothing to do, R = rejected. */
export type Admission = "A" | "N" | "R";

function row(cells: string): ReadonlyMap<JobState, Admission> {
  const admissions = cells.split(" ").filter((cell): cell is Admission => /^[ANR]$/.test(cell));
  return new Map(jobStates.map((state, column) => [state, admissions[column] ?? "R"]));
}

//                        q p r h p p r f a c f a
//                        u r u e a a e i b o a b
//                        e e n l u u s n o m i o
const admissionTable: Readonly<Record<Action, ReadonlyMap<JobState, Admission>>> = {
  continue: /*         */ row("R R A A R R R R R R R R"),
  pause: /*            */ row("A A A A N N A R R R R R"),
  resume: /*           */ row("N N N R A A R R R R R R"),
  rollback: /*         */ row("R R A A A A R R R R A R"),
  warm_restart: /*     */ row("R R A A A A R R R R A R"),
  finish_from_checkpoint: row("R R A A A A R N R R A R"),
  abort: /*            */ row("A A A A A A A A N R R N"),
};

export function admissionOf(action: Action, state: JobState): Admission {
  return admissionTable[action].get(state) ?? "R";
}

const statesAfter: Readonly<Record<Action, JobState>> = {
  continue: "running",
  pause: "paused",
  resume: "running",
  rollback: "running",
  warm_restart: "running",
  finish_from_checkpoint: "completed",
  abort: "aborted",
};

export function stateAfter(action: Action): JobState {
  return statesAfter[action];
}

/** The job's state after all pending commands. */
export function projectedState(job: JobSnapshot): JobState {
  return job.pending.last ? stateAfter(job.pending.last.action) : job.state;
}

const appliedFrom: Readonly<Record<Action, readonly JobState[]>> = {
  continue: ["preparing", "running", "held"],
  pause: ["queued", "preparing", "running", "held", "pausing", "paused", "restoring"],
  resume: ["preparing", "running", "pausing", "paused", "restoring"],
  rollback: ["preparing", "running", "held", "pausing", "paused", "restoring", "failed"],
  warm_restart: ["preparing", "running", "held", "pausing", "paused", "restoring", "failed"],
  finish_from_checkpoint: ["running", "held", "pausing", "paused", "finishing", "failed"],
  abort: ["queued", "preparing", "running", "held", "pausing", "paused", "restoring", "finishing", "aborting"],
};

/** Whether a trainer can have applied the action out of `state`, the transitional state of the action itself included. */
export function canHaveApplied(action: Action, state: JobState): boolean {
  return appliedFrom[action].includes(state);
}

/** Which segment an applied action opens, if any. */
export function segmentOpenedBy(action: Action): "resume" | "rollback" | "warm_restart" | undefined {
  return action === "resume" || action === "rollback" || action === "warm_restart" ? action : undefined;
}

/** Whether the action works on a checkpoint; `continue`, `pause` and `abort` take none. */
export function usesCheckpoint(action: Action): boolean {
  return segmentOpenedBy(action) !== undefined || action === "finish_from_checkpoint";
}

export function takesOverrides(action: Action): boolean {
  return action === "continue" || segmentOpenedBy(action) !== undefined;
}

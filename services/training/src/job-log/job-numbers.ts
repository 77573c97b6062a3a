import {
  TrainingControlAction,
  TrainingControlCommandStatus,
} from "@aiplatform/contract/aiplatform/training/v1/control_commands";
import { JobState as JobStateNumber } from "@aiplatform/contract/aiplatform/training/v1/runs";
import { CheckpointVerification } from "@aiplatform/contract/aiplatform/training/v1/trainers";
import type { Action, CommandStatus, Verification } from "./job-entry.ts";
import type { JobState } from "./job-state.ts";

// The words of the log, as the contract's enums have them.

export const actionNumbers: Readonly<Record<Action, TrainingControlAction>> = {
  continue: TrainingControlAction.CONTINUE,
  pause: TrainingControlAction.PAUSE,
  resume: TrainingControlAction.RESUME,
  rollback: TrainingControlAction.ROLLBACK,
  warm_restart: TrainingControlAction.WARM_RESTART,
  finish_from_checkpoint: TrainingControlAction.FINISH_FROM_CHECKPOINT,
  abort: TrainingControlAction.ABORT,
};

export const commandStatusNumbers: Readonly<Record<CommandStatus, TrainingControlCommandStatus>> = {
  pending: TrainingControlCommandStatus.PENDING,
  applied: TrainingControlCommandStatus.APPLIED,
  rejected: TrainingControlCommandStatus.REJECTED,
};

export const verificationNumbers: Readonly<Record<Verification, CheckpointVerification>> = {
  intact: CheckpointVerification.INTACT,
  damaged: CheckpointVerification.DAMAGED,
  missing: CheckpointVerification.MISSING,
};

export const jobStateNumbers: Readonly<Record<JobState, JobStateNumber>> = {
  queued: JobStateNumber.QUEUED,
  preparing: JobStateNumber.PREPARING,
  running: JobStateNumber.RUNNING,
  held: JobStateNumber.HELD,
  pausing: JobStateNumber.PAUSING,
  paused: JobStateNumber.PAUSED,
  restoring: JobStateNumber.RESTORING,
  finishing: JobStateNumber.FINISHING,
  aborting: JobStateNumber.ABORTING,
  completed: JobStateNumber.COMPLETED,
  failed: JobStateNumber.FAILED,
  aborted: JobStateNumber.ABORTED,
};

import {
  type JobCommandOutcome,
  JobCommandOutcomeSchema,
  type Pause,
  PauseSchema,
  TrainingControlAction,
  type TrainingControlCommandRead,
  TrainingControlCommandReadSchema,
  type TrainingControlCommandStatus,
} from "@aiplatform/contract/aiplatform/training/v1/control_commands";
import { create } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { Action, CommandStatus } from "../job-log/job-entry.ts";
import { actionNumbers, commandStatusNumbers } from "../job-log/job-numbers.ts";
import type { JobOutcome } from "./command-jobs.ts";
import type { ControlCommand } from "./control-command.ts";

const actionsByNumber: Readonly<Record<Exclude<TrainingControlAction, TrainingControlAction.UNSPECIFIED>, Action>> = {
  [TrainingControlAction.CONTINUE]: "continue",
  [TrainingControlAction.PAUSE]: "pause",
  [TrainingControlAction.RESUME]: "resume",
  [TrainingControlAction.ROLLBACK]: "rollback",
  [TrainingControlAction.WARM_RESTART]: "warm_restart",
  [TrainingControlAction.FINISH_FROM_CHECKPOINT]: "finish_from_checkpoint",
  [TrainingControlAction.ABORT]: "abort",
};

const statusesByNumber = new Map(
  Object.entries(commandStatusNumbers).map(([status, number]) => [number, status] as [number, CommandStatus]),
);

/** Undefined for UNSPECIFIED. */
export function actionOf(action: TrainingControlAction): Action | undefined {
  return action === TrainingControlAction.UNSPECIFIED ? undefined : actionsByNumber[action];
}

/** Undefined for UNSPECIFIED and for none. */
export function statusOf(status: TrainingControlCommandStatus | undefined): CommandStatus | undefined {
  return status === undefined ? undefined : statusesByNumber.get(status);
}

export function commandMessage(command: ControlCommand): TrainingControlCommandRead {
  const { id, sequence, checkpointId, idempotencyKey, requestedByMemberId, detail, appliedAt } = command;
  return create(TrainingControlCommandReadSchema, {
    id,
    sequence,
    action: actionNumbers[command.action],
    ...(checkpointId === undefined ? {} : { checkpointId }),
    status: commandStatusNumbers[command.status],
    idempotencyKey,
    ...(requestedByMemberId === undefined ? {} : { requestedByMemberId }),
    ...(detail === undefined ? {} : { detail }),
    runtimeOverrides: { text: command.overrides },
    createdAt: timestampFromDate(command.createdAt),
    ...(appliedAt ? { appliedAt: timestampFromDate(appliedAt) } : {}),
  });
}

export function outcomeMessage(outcome: JobOutcome): JobCommandOutcome {
  const { runId, jobName } = outcome;
  if ("code" in outcome) return create(JobCommandOutcomeSchema, { ...outcome, accepted: false });
  if ("preview" in outcome) {
    const { preview } = outcome;
    return create(JobCommandOutcomeSchema, {
      ...{ runId, jobName, preview, accepted: preview.accepted, detail: preview.detail ?? "" },
    });
  }
  const { command } = outcome;
  const facts = { accepted: command.status !== "rejected", detail: command.detail ?? "" };
  return create(JobCommandOutcomeSchema, { runId, jobName, ...facts, command: commandMessage(command) });
}

export function pauseMessage(command: ControlCommand): Pause {
  const { resumeAt } = command;
  return create(PauseSchema, {
    command: commandMessage(command),
    ...(resumeAt ? { resumeAt: timestampFromDate(resumeAt) } : {}),
  });
}

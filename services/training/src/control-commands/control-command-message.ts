import {
  TrainingControlAction,
  type TrainingControlCommandRead,
  TrainingControlCommandReadSchema,
  TrainingControlCommandStatus,
} from "@aiplatform/contract/aiplatform/training/v1/control_commands";
import { create } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { Action, CommandStatus } from "../job-log/job-entry.ts";
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

const actionNumbers: Readonly<Record<Action, TrainingControlAction>> = {
  continue: TrainingControlAction.CONTINUE,
  pause: TrainingControlAction.PAUSE,
  resume: TrainingControlAction.RESUME,
  rollback: TrainingControlAction.ROLLBACK,
  warm_restart: TrainingControlAction.WARM_RESTART,
  finish_from_checkpoint: TrainingControlAction.FINISH_FROM_CHECKPOINT,
  abort: TrainingControlAction.ABORT,
};

const statusNumbers: Readonly<Record<CommandStatus, TrainingControlCommandStatus>> = {
  pending: TrainingControlCommandStatus.PENDING,
  applied: TrainingControlCommandStatus.APPLIED,
  rejected: TrainingControlCommandStatus.REJECTED,
};

const statusesByNumber = new Map(
  Object.entries(statusNumbers).map(([status, number]) => [number, status] as [number, CommandStatus]),
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
    status: statusNumbers[command.status],
    idempotencyKey,
    ...(requestedByMemberId === undefined ? {} : { requestedByMemberId }),
    ...(detail === undefined ? {} : { detail }),
    runtimeOverrides: { text: command.overrides },
    createdAt: timestampFromDate(command.createdAt),
    ...(appliedAt ? { appliedAt: timestampFromDate(appliedAt) } : {}),
  });
}

import {
  TrainingControlAction,
  type TrainingControlCommandRead,
  TrainingControlCommandReadSchema,
  TrainingControlCommandStatus,
} from "@aiplatform/contract/aiplatform/training/v1/control_commands";
import { create } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { Action, CommandStatus, ControlCommand } from "./control-command.ts";

const ACTIONS: Readonly<Record<Exclude<TrainingControlAction, TrainingControlAction.UNSPECIFIED>, Action>> = {
  [TrainingControlAction.CONTINUE]: "continue",
  [TrainingControlAction.PAUSE]: "pause",
  [TrainingControlAction.RESUME]: "resume",
  [TrainingControlAction.ROLLBACK]: "rollback",
  [TrainingControlAction.WARM_RESTART]: "warm_restart",
  [TrainingControlAction.FINISH_FROM_CHECKPOINT]: "finish_from_checkpoint",
  [TrainingControlAction.ABORT]: "abort",
};

const ACTION_NUMBERS: Readonly<Record<Action, TrainingControlAction>> = {
  continue: TrainingControlAction.CONTINUE,
  pause: TrainingControlAction.PAUSE,
  resume: TrainingControlAction.RESUME,
  rollback: TrainingControlAction.ROLLBACK,
  warm_restart: TrainingControlAction.WARM_RESTART,
  finish_from_checkpoint: TrainingControlAction.FINISH_FROM_CHECKPOINT,
  abort: TrainingControlAction.ABORT,
};

const STATUS_NUMBERS: Readonly<Record<CommandStatus, TrainingControlCommandStatus>> = {
  pending: TrainingControlCommandStatus.PENDING,
  applied: TrainingControlCommandStatus.APPLIED,
  rejected: TrainingControlCommandStatus.REJECTED,
};

const STATUSES = new Map(
  Object.entries(STATUS_NUMBERS).map(([status, number]) => [number, status] as [number, CommandStatus]),
);

/** The action; undefined for the one that says nothing. */
export function actionOf(action: TrainingControlAction): Action | undefined {
  return action === TrainingControlAction.UNSPECIFIED ? undefined : ACTIONS[action];
}

/** The status; undefined for the one that says nothing. */
export function statusOf(status: TrainingControlCommandStatus | undefined): CommandStatus | undefined {
  return status === undefined ? undefined : STATUSES.get(status);
}

/** The command as a message. */
export function commandMessage(command: ControlCommand): TrainingControlCommandRead {
  const { id, sequence, checkpointId, idempotencyKey, requestedByMemberId, detail, appliedAt } = command;
  return create(TrainingControlCommandReadSchema, {
    id,
    sequence,
    action: ACTION_NUMBERS[command.action],
    ...(checkpointId === undefined ? {} : { checkpointId }),
    status: STATUS_NUMBERS[command.status],
    idempotencyKey,
    ...(requestedByMemberId === undefined ? {} : { requestedByMemberId }),
    ...(detail === undefined ? {} : { detail }),
    runtimeOverrides: { text: command.overrides },
    createdAt: timestampFromDate(command.createdAt),
    ...(appliedAt ? { appliedAt: timestampFromDate(appliedAt) } : {}),
  });
}

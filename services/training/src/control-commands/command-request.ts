import type { Caller } from "@aiplatform/caller-identity";
import { TrainingControlAction } from "@aiplatform/contract/aiplatform/training/v1/control_commands";
import { type FieldViolation, InvalidFieldsError } from "@aiplatform/service-host";
import { type Timestamp, timestampDate } from "@bufbuild/protobuf/wkt";
import type { Action } from "../job-log/job-entry.ts";
import { type LeaseProof, mayOverride } from "../supervision-leases/supervision-lease.ts";
import type { PauseEnd } from "./command-fingerprint.ts";
import { takesOverrides, usesCheckpoint } from "./control-command.ts";
import { actionOf } from "./control-command-message.ts";
import type { CommandRequest } from "./judge-command.ts";
import { maxOverridesLength, parseOverrides } from "./runtime-overrides.ts";

/** The fields that a command and its preview share. */
export interface CommandFields {
  action: TrainingControlAction;
  checkpointId?: string | undefined;
  runtimeOverrides?: { text: string } | undefined;
  supervisionId?: string | undefined;
  supervisionLeaseToken?: string | undefined;
}

/** @throws InvalidFieldsError with everything that is wrong whatever the job's state */
export function commandRequestOf(
  fields: CommandFields,
  caller: Pick<Caller, "memberId" | "permissions">,
): CommandRequest {
  const action = actionOf(fields.action);
  const overrides = fields.runtimeOverrides?.text || "{}";
  const violations = [
    ...(action ? requiredByAction(action, fields, overrides) : [violation("action", "REQUIRED", "is required")]),
    ...proofViolations(fields),
  ];
  if (!action || violations.length > 0) throw new InvalidFieldsError(violations);
  const proof = proofOf(fields);
  return {
    action,
    ...(fields.checkpointId ? { checkpointId: fields.checkpointId } : {}),
    overrides,
    ...(proof ? { proof } : {}),
    mayOverride: mayOverride(caller),
  };
}

/** What a pause says of its end. */
interface PauseFields extends Omit<CommandFields, "action"> {
  until?: Timestamp | undefined;
  resumeAfterSeconds?: number | undefined;
}

const maxPauseMs = 366 * 86_400_000;

/** A pause, with its end if it has one. @throws InvalidFieldsError */
export function pauseRequestOf(
  { until, resumeAfterSeconds, ...fields }: PauseFields,
  caller: Pick<Caller, "memberId" | "permissions">,
  now: Date,
): CommandRequest & { pauseEnd?: PauseEnd } {
  const violations = until ? untilViolations(timestampDate(until), resumeAfterSeconds, now) : [];
  if (violations.length > 0) throw new InvalidFieldsError(violations);
  const request = commandRequestOf({ ...fields, action: TrainingControlAction.PAUSE }, caller);
  if (until) return { ...request, pauseEnd: { until: timestampDate(until) } };
  return resumeAfterSeconds === undefined ? request : { ...request, pauseEnd: { afterMs: resumeAfterSeconds * 1_000 } };
}

function untilViolations(until: Date, resumeAfterSeconds: number | undefined, now: Date): FieldViolation[] {
  const field = "until";
  if (resumeAfterSeconds !== undefined) {
    return [violation(field, "PAUSE_END_TWICE", "must not be given with resume_after_seconds")];
  }
  const isTooLate = until.getTime() > now.getTime() + maxPauseMs;
  return isTooLate ? [violation(field, "PAUSE_TOO_LONG", "must be at most a year from now")] : [];
}

function requiredByAction(action: Action, fields: CommandFields, overrides: string): FieldViolation[] {
  const read = overrides.length > maxOverridesLength ? undefined : parseOverrides(overrides);
  const field = "runtime_overrides";
  const violations: FieldViolation[] = [];
  if (fields.checkpointId !== undefined && !usesCheckpoint(action)) {
    violations.push(violation("checkpoint_id", "CHECKPOINT_ID_MUST_BE_NULL", `must be null for ${action}`));
  }
  if (overrides.length > maxOverridesLength) {
    violations.push(violation(field, "RUNTIME_OVERRIDES_TOO_LONG", `must be at most ${maxOverridesLength} characters`));
  } else if (!read) violations.push(violation(field, "RUNTIME_OVERRIDES_NOT_AN_OBJECT", "must be a JSON object"));
  else if (read.canonical !== "{}" && !takesOverrides(action)) {
    violations.push(violation(field, "RUNTIME_OVERRIDES_MUST_BE_EMPTY", `must be empty for ${action}`));
  }
  return violations;
}

function proofViolations({ supervisionId, supervisionLeaseToken }: CommandFields): FieldViolation[] {
  if ((supervisionId === undefined) === (supervisionLeaseToken === undefined)) return [];
  return supervisionId === undefined
    ? [violation("supervision_id", "SUPERVISION_ID_MISSING", "is required with supervision_lease_token")]
    : [violation("supervision_lease_token", "SUPERVISION_LEASE_TOKEN_MISSING", "is required with supervision_id")];
}

function proofOf({ supervisionId, supervisionLeaseToken }: CommandFields): LeaseProof | undefined {
  if (supervisionId === undefined || supervisionLeaseToken === undefined) return undefined;
  return { supervisionId, token: supervisionLeaseToken };
}

function violation(field: string, reason: string, description: string): FieldViolation {
  return { field, reason, description };
}

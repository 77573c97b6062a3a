import type { Caller } from "@aiplatform/caller-identity";
import type { TrainingControlAction } from "@aiplatform/contract/aiplatform/training/v1/control_commands";
import { type FieldViolation, InvalidFieldsError } from "@aiplatform/service-host";
import type { Action } from "../job-log/job-entry.ts";
import type { LeaseProof } from "../supervision-leases/supervision-lease.ts";
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

const overridePermission = "training:override";

/** @throws InvalidFieldsError with everything that is wrong whatever the job's state */
export function commandRequestOf(
  fields: CommandFields,
  { memberId, permissions }: Pick<Caller, "memberId" | "permissions">,
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
    mayOverride: memberId !== undefined && permissions.has(overridePermission),
  };
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

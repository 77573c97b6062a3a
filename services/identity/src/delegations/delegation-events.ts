import { delegationCredentialId } from "@aiplatform/caller-identity";
import {
  CredentialChangedSchema,
  DelegationCreatedSchema,
  DelegationRevokedSchema,
} from "@aiplatform/contract/aiplatform/events/v1/identity";
import type { OutboxRecord } from "@aiplatform/document-store";
import { eventRecord } from "@aiplatform/event-stream";
import { create } from "@bufbuild/protobuf";
import type { Delegation } from "./delegation.ts";

export function delegationCreated(
  { id, organisationId, purpose, permissionIds }: Delegation,
  time: Date,
): OutboxRecord {
  const message = create(DelegationCreatedSchema, { organisationId, delegationId: id, purpose, permissionIds });
  return eventRecord(DelegationCreatedSchema, message, { organisationId, entityId: id, time });
}

export function delegationRevoked({ id, organisationId }: Delegation, time: Date): OutboxRecord {
  const message = create(DelegationRevokedSchema, { organisationId, delegationId: id });
  return eventRecord(DelegationRevokedSchema, message, { organisationId, entityId: id, time });
}

/** Cached contexts of callers that act under the delegation are void. */
export function delegationCredentialChanged({ id, organisationId }: Delegation, time: Date): OutboxRecord {
  const message = create(CredentialChangedSchema, { organisationId, apiKeyId: delegationCredentialId(id) });
  return eventRecord(CredentialChangedSchema, message, { organisationId, entityId: id, time });
}

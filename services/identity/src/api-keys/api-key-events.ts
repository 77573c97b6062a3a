import {
  ApiKeyCreatedSchema,
  ApiKeyPolicySetSchema,
  ApiKeyRevokedSchema,
  ApiKeyRotatedSchema,
  CredentialChangedSchema,
} from "@aiplatform/contract/aiplatform/events/v1/identity";
import type { OutboxRecord } from "@aiplatform/document-store";
import { eventRecord } from "@aiplatform/event-stream";
import { create } from "@bufbuild/protobuf";
import type { ApiKey } from "./api-key.ts";
import type { ApiKeyPolicy } from "./api-key-policy.ts";

export function apiKeyCreated({ id, organisationId, permissionIds }: ApiKey, time: Date): OutboxRecord {
  const message = create(ApiKeyCreatedSchema, { organisationId, apiKeyId: id, permissionIds });
  return eventRecord(ApiKeyCreatedSchema, message, { organisationId, entityId: id, time });
}

/** Another key takes over from the key. */
export function apiKeyRotated({ id, organisationId }: ApiKey, successor: ApiKey, time: Date): OutboxRecord {
  const message = create(ApiKeyRotatedSchema, { organisationId, apiKeyId: id, replacedById: successor.id });
  return eventRecord(ApiKeyRotatedSchema, message, { organisationId, entityId: id, time });
}

export function apiKeyPolicySet(
  organisationId: string,
  { maxLifetimeSeconds }: ApiKeyPolicy,
  time: Date,
): OutboxRecord {
  const limit = maxLifetimeSeconds === undefined ? {} : { maxLifetimeSeconds };
  const message = create(ApiKeyPolicySetSchema, { organisationId, ...limit });
  return eventRecord(ApiKeyPolicySetSchema, message, { organisationId, entityId: organisationId, time });
}

export function apiKeyRevoked({ id, organisationId }: ApiKey, time: Date): OutboxRecord {
  const message = create(ApiKeyRevokedSchema, { organisationId, apiKeyId: id });
  return eventRecord(ApiKeyRevokedSchema, message, { organisationId, entityId: id, time });
}

/** Cached contexts of the key are void. */
export function apiKeyCredentialChanged({ id, organisationId }: ApiKey, time: Date): OutboxRecord {
  const message = create(CredentialChangedSchema, { organisationId, apiKeyId: id });
  return eventRecord(CredentialChangedSchema, message, { organisationId, entityId: id, time });
}

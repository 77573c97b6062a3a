import {
  CredentialChangedSchema,
  RoleCreatedSchema,
  RoleDeletedSchema,
  RoleUpdatedSchema,
} from "@aiplatform/contract/aiplatform/events/v1/identity";
import type { OutboxRecord } from "@aiplatform/document-store";
import { eventRecord } from "@aiplatform/event-stream";
import { create } from "@bufbuild/protobuf";
import type { Role } from "./role.ts";

export function roleCreated({ id, organisationId, slug, permissionIds }: Role, time: Date): OutboxRecord {
  const message = create(RoleCreatedSchema, { organisationId, roleId: id, slug, permissionIds });
  return eventRecord(RoleCreatedSchema, message, { organisationId, entityId: id, time });
}

export function roleUpdated({ id, organisationId, permissionIds }: Role, time: Date): OutboxRecord {
  const message = create(RoleUpdatedSchema, { organisationId, roleId: id, permissionIds });
  return eventRecord(RoleUpdatedSchema, message, { organisationId, entityId: id, time });
}

export function roleDeleted({ id, organisationId }: Role, time: Date): OutboxRecord {
  const message = create(RoleDeletedSchema, { organisationId, roleId: id });
  return eventRecord(RoleDeletedSchema, message, { organisationId, entityId: id, time });
}

/** Cached contexts of all who hold the role are void. */
export function roleCredentialChanged({ id, organisationId }: Role, time: Date): OutboxRecord {
  const message = create(CredentialChangedSchema, { organisationId, roleId: id });
  return eventRecord(CredentialChangedSchema, message, { organisationId, entityId: id, time });
}

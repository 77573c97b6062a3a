import {
  ApiKeyCreatedSchema,
  ApiKeyRevokedSchema,
  ApiKeyRotatedSchema,
  type CredentialChanged,
  CredentialChangedSchema,
  MemberAddedSchema,
  MemberDeactivatedSchema,
  MemberEmailPreferenceSetSchema,
  MemberJoinedSchema,
  MemberReactivatedSchema,
  MemberRolesSetSchema,
  OrganisationCreatedSchema,
  RoleCreatedSchema,
  RoleDeletedSchema,
  RoleUpdatedSchema,
} from "@aiplatform/contract/aiplatform/events/v1/identity";
import type { OutboxRecord } from "@aiplatform/document-store";
import { eventRecord } from "@aiplatform/event-stream";
import { create } from "@bufbuild/protobuf";
import type { ApiKey } from "./api-keys/api-key.ts";
import type { Member } from "./members/member.ts";
import type { Organisation } from "./organisations/organisation.ts";
import type { Role } from "./roles/role.ts";

/** Contexts of the key are void. */
export function apiKeyChanged({ id, organisationId }: ApiKey, time: Date): OutboxRecord {
  return credentialChanged({ organisationId, apiKeyId: id, memberId: "", roleId: "" }, id, time);
}

/** Contexts of the member are void. */
export function memberChanged({ id, organisationId }: Member, time: Date): OutboxRecord {
  return credentialChanged({ organisationId, apiKeyId: "", memberId: id, roleId: "" }, id, time);
}

/** Contexts of all who hold the role are void. */
export function roleChanged({ id, organisationId }: Role, time: Date): OutboxRecord {
  return credentialChanged({ organisationId, apiKeyId: "", memberId: "", roleId: id }, id, time);
}

/** There is a role. */
export function roleCreated({ id, organisationId, slug, permissionIds }: Role, time: Date): OutboxRecord {
  const message = create(RoleCreatedSchema, { organisationId, roleId: id, slug, permissionIds });
  return eventRecord(RoleCreatedSchema, message, { organisationId, entityId: id, time });
}

/** The role's name or permissions are these from now on. */
export function roleUpdated({ id, organisationId, permissionIds }: Role, time: Date): OutboxRecord {
  const message = create(RoleUpdatedSchema, { organisationId, roleId: id, permissionIds });
  return eventRecord(RoleUpdatedSchema, message, { organisationId, entityId: id, time });
}

/** The role is gone. */
export function roleDeleted({ id, organisationId }: Role, time: Date): OutboxRecord {
  const message = create(RoleDeletedSchema, { organisationId, roleId: id });
  return eventRecord(RoleDeletedSchema, message, { organisationId, entityId: id, time });
}

/** The member was added or invited. */
export function memberAdded({ id, organisationId, roleIds }: Member, time: Date): OutboxRecord {
  const message = create(MemberAddedSchema, { organisationId, memberId: id, roleIds });
  return eventRecord(MemberAddedSchema, message, { organisationId, entityId: id, time });
}

/** A subject stands for the member from now on: it is the one who caused that. */
export function memberJoined({ id, organisationId, issuer, subject }: Member, time: Date): OutboxRecord {
  const message = create(MemberJoinedSchema, { organisationId, memberId: id });
  const cause = { memberId: id, credentialId: `${issuer} ${subject}` };
  return eventRecord(MemberJoinedSchema, message, { organisationId, entityId: id, time, cause });
}

/** The member's roles are these from now on. */
export function memberRolesSet({ id, organisationId, roleIds }: Member, time: Date): OutboxRecord {
  const message = create(MemberRolesSetSchema, { organisationId, memberId: id, roleIds });
  return eventRecord(MemberRolesSetSchema, message, { organisationId, entityId: id, time });
}

/** The member can no longer act. */
export function memberDeactivated({ id, organisationId }: Member, time: Date): OutboxRecord {
  const message = create(MemberDeactivatedSchema, { organisationId, memberId: id });
  return eventRecord(MemberDeactivatedSchema, message, { organisationId, entityId: id, time });
}

/** The member can act again. */
export function memberReactivated({ id, organisationId }: Member, time: Date): OutboxRecord {
  const message = create(MemberReactivatedSchema, { organisationId, memberId: id });
  return eventRecord(MemberReactivatedSchema, message, { organisationId, entityId: id, time });
}

/** Whether the member wants e-mails is this from now on. */
export function memberEmailPreferenceSet({ id, organisationId, emailOptedOut }: Member, time: Date): OutboxRecord {
  const message = create(MemberEmailPreferenceSetSchema, { organisationId, memberId: id, emailOptedOut });
  return eventRecord(MemberEmailPreferenceSetSchema, message, { organisationId, entityId: id, time });
}

/** There is a key. */
export function apiKeyCreated({ id, organisationId, permissionIds }: ApiKey, time: Date): OutboxRecord {
  const message = create(ApiKeyCreatedSchema, { organisationId, apiKeyId: id, permissionIds });
  return eventRecord(ApiKeyCreatedSchema, message, { organisationId, entityId: id, time });
}

/** Another key takes over from the key. */
export function apiKeyRotated({ id, organisationId }: ApiKey, successor: ApiKey, time: Date): OutboxRecord {
  const message = create(ApiKeyRotatedSchema, { organisationId, apiKeyId: id, replacedById: successor.id });
  return eventRecord(ApiKeyRotatedSchema, message, { organisationId, entityId: id, time });
}

export function apiKeyRevoked({ id, organisationId }: ApiKey, time: Date): OutboxRecord {
  const message = create(ApiKeyRevokedSchema, { organisationId, apiKeyId: id });
  return eventRecord(ApiKeyRevokedSchema, message, { organisationId, entityId: id, time });
}

/** The organisation exists. */
export function organisationCreated({ id, name }: Organisation, time: Date): OutboxRecord {
  const message = create(OrganisationCreatedSchema, { organisationId: id, name });
  return eventRecord(OrganisationCreatedSchema, message, { organisationId: id, entityId: id, time });
}

function credentialChanged(
  fields: Pick<CredentialChanged, "organisationId" | "apiKeyId" | "memberId" | "roleId">,
  entityId: string,
  time: Date,
): OutboxRecord {
  const message = create(CredentialChangedSchema, fields);
  return eventRecord(CredentialChangedSchema, message, { organisationId: fields.organisationId, entityId, time });
}

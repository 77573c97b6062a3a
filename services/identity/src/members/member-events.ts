import {
  CredentialChangedSchema,
  MemberAddedSchema,
  MemberDeactivatedSchema,
  MemberEmailPreferenceSetSchema,
  MemberJoinedSchema,
  MemberReactivatedSchema,
  MemberRolesSetSchema,
} from "@aiplatform/contract/aiplatform/events/v1/identity";
import type { OutboxRecord } from "@aiplatform/document-store";
import { eventRecord } from "@aiplatform/event-stream";
import { create } from "@bufbuild/protobuf";
import type { Member } from "./member.ts";

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

export function memberRolesSet({ id, organisationId, roleIds }: Member, time: Date): OutboxRecord {
  const message = create(MemberRolesSetSchema, { organisationId, memberId: id, roleIds });
  return eventRecord(MemberRolesSetSchema, message, { organisationId, entityId: id, time });
}

export function memberDeactivated({ id, organisationId }: Member, time: Date): OutboxRecord {
  const message = create(MemberDeactivatedSchema, { organisationId, memberId: id });
  return eventRecord(MemberDeactivatedSchema, message, { organisationId, entityId: id, time });
}

export function memberReactivated({ id, organisationId }: Member, time: Date): OutboxRecord {
  const message = create(MemberReactivatedSchema, { organisationId, memberId: id });
  return eventRecord(MemberReactivatedSchema, message, { organisationId, entityId: id, time });
}

export function memberEmailPreferenceSet({ id, organisationId, emailOptedOut }: Member, time: Date): OutboxRecord {
  const message = create(MemberEmailPreferenceSetSchema, { organisationId, memberId: id, emailOptedOut });
  return eventRecord(MemberEmailPreferenceSetSchema, message, { organisationId, entityId: id, time });
}

/** Cached contexts of the member are void. */
export function memberCredentialChanged({ id, organisationId }: Member, time: Date): OutboxRecord {
  const message = create(CredentialChangedSchema, { organisationId, memberId: id });
  return eventRecord(CredentialChangedSchema, message, { organisationId, entityId: id, time });
}

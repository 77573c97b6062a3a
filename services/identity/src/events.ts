import {
  type CredentialChanged,
  CredentialChangedSchema,
  MemberDeactivatedSchema,
  OrganisationCreatedSchema,
} from "@aiplatform/contract/aiplatform/events/v1/identity";
import type { OutboxRecord } from "@aiplatform/document-store";
import { eventRecord } from "@aiplatform/event-stream";
import { create } from "@bufbuild/protobuf";
import type { ApiKey } from "./api-keys/api-key.ts";
import type { Member } from "./members/member.ts";
import type { Organisation } from "./organisations/organisation.ts";

/** Contexts of the key are void. */
export function apiKeyChanged({ id, organisationId }: ApiKey, time: Date): OutboxRecord {
  return credentialChanged({ organisationId, apiKeyId: id, memberId: "", roleId: "" }, id, time);
}

/** Contexts of the member are void. */
export function memberChanged({ id, organisationId }: Member, time: Date): OutboxRecord {
  return credentialChanged({ organisationId, apiKeyId: "", memberId: id, roleId: "" }, id, time);
}

/** The member can no longer act. */
export function memberDeactivated({ id, organisationId }: Member, time: Date): OutboxRecord {
  const message = create(MemberDeactivatedSchema, { organisationId, memberId: id });
  return eventRecord(MemberDeactivatedSchema, message, { organisationId, entityId: id, time });
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

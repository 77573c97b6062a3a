import {
  CredentialChangedSchema,
  OrganisationCreatedSchema,
  OrganisationDeletedSchema,
  OrganisationDeletionRequestedSchema,
  OrganisationQuotasSetSchema,
  OrganisationRestoredSchema,
  OrganisationSuspendedSchema,
} from "@aiplatform/contract/aiplatform/events/v1/identity";
import type { OutboxRecord } from "@aiplatform/document-store";
import { eventRecord } from "@aiplatform/event-stream";
import { limitsMessage, type OrganisationLimits } from "@aiplatform/quotas";
import { create } from "@bufbuild/protobuf";
import type { Organisation } from "./organisation.ts";

export function organisationCreated({ id, name }: Organisation, time: Date): OutboxRecord {
  const message = create(OrganisationCreatedSchema, { organisationId: id, name });
  return eventRecord(OrganisationCreatedSchema, message, { organisationId: id, entityId: id, time });
}

export function organisationSuspended({ id, stateRevision: revision }: Organisation, time: Date): OutboxRecord {
  const message = create(OrganisationSuspendedSchema, { organisationId: id, revision });
  return eventRecord(OrganisationSuspendedSchema, message, { organisationId: id, entityId: id, time });
}

export function organisationRestored({ id, stateRevision: revision }: Organisation, time: Date): OutboxRecord {
  const message = create(OrganisationRestoredSchema, { organisationId: id, revision });
  return eventRecord(OrganisationRestoredSchema, message, { organisationId: id, entityId: id, time });
}

export function organisationQuotasSet(
  { organisationId, limits, revision }: OrganisationLimits,
  time: Date,
): OutboxRecord {
  const message = create(OrganisationQuotasSetSchema, { organisationId, revision, limits: limitsMessage(limits) });
  return eventRecord(OrganisationQuotasSetSchema, message, { organisationId, entityId: organisationId, time });
}

export function organisationDeletionRequested({ id, stateRevision: revision }: Organisation, time: Date): OutboxRecord {
  const schema = OrganisationDeletionRequestedSchema;
  const facts = { organisationId: id, entityId: id, time, tellsOfDeletion: true } as const;
  return eventRecord(schema, create(schema, { organisationId: id, revision }), facts);
}

export function organisationDeleted(
  { id, stateRevision: revision }: Organisation,
  { time, requestedBy }: { time: Date; requestedBy: string },
): OutboxRecord {
  const message = create(OrganisationDeletedSchema, { organisationId: id, revision });
  // The one who asked has deleted it, although this is no part of that request.
  const cause = { credentialId: requestedBy };
  const facts = { organisationId: id, entityId: id, time, cause, tellsOfDeletion: true } as const;
  return eventRecord(OrganisationDeletedSchema, message, facts);
}

/** Cached contexts of all credentials of the organisation are void. */
export function organisationCredentialsChanged({ id }: Organisation, time: Date): OutboxRecord {
  const message = create(CredentialChangedSchema, { organisationId: id });
  return eventRecord(CredentialChangedSchema, message, { organisationId: id, entityId: id, time });
}

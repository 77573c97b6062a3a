import {
  ExternalLinkCompletedSchema,
  ExternalLinkExpiredSchema,
  ExternalLinkFailedSchema,
  ExternalLinkRevokedSchema,
  ExternalLinkStartedSchema,
} from "@aiplatform/contract/aiplatform/events/v1/identity";
import type { OutboxRecord } from "@aiplatform/document-store";
import { eventRecord } from "@aiplatform/event-stream";
import { create } from "@bufbuild/protobuf";
import type { ExternalLink, LinkAttempt, LinkFailure } from "./external-link.ts";

export function externalLinkStarted(link: ExternalLink, time: Date): OutboxRecord {
  const { id: linkId, organisationId, provider, secretName } = link;
  const message = create(ExternalLinkStartedSchema, { organisationId, linkId, provider, secretName });
  return eventRecord(ExternalLinkStartedSchema, message, { organisationId, entityId: linkId, time });
}

/** The account is linked, on behalf of who began it: a browser comes back without a credential. */
export function externalLinkCompleted(link: ExternalLink, attempt: LinkAttempt, time: Date): OutboxRecord {
  const { id: linkId, organisationId, provider, secretName } = link;
  const message = create(ExternalLinkCompletedSchema, { organisationId, linkId, provider, secretName });
  const facts = { organisationId, entityId: linkId, time, cause: causeOf(attempt) };
  return eventRecord(ExternalLinkCompletedSchema, message, facts);
}

export function externalLinkFailed(
  { id: linkId, organisationId }: ExternalLink,
  attempt: LinkAttempt,
  { error, time }: { error: LinkFailure; time: Date },
): OutboxRecord {
  const message = create(ExternalLinkFailedSchema, { organisationId, linkId, error });
  const facts = { organisationId, entityId: linkId, time, cause: causeOf(attempt) };
  return eventRecord(ExternalLinkFailedSchema, message, facts);
}

/** The tokens have ended and could not be refreshed. */
export function externalLinkExpired(link: ExternalLink, time: Date): OutboxRecord {
  const { id: linkId, organisationId, provider, secretName, error = "token_expired" } = link;
  const message = create(ExternalLinkExpiredSchema, { organisationId, linkId, provider, secretName, error });
  return eventRecord(ExternalLinkExpiredSchema, message, { organisationId, entityId: linkId, time });
}

export function externalLinkRevoked({ id: linkId, organisationId }: ExternalLink, time: Date): OutboxRecord {
  const message = create(ExternalLinkRevokedSchema, { organisationId, linkId });
  return eventRecord(ExternalLinkRevokedSchema, message, { organisationId, entityId: linkId, time });
}

function causeOf({ memberId, credentialId }: LinkAttempt) {
  return { credentialId, ...(memberId === undefined ? {} : { memberId }) };
}

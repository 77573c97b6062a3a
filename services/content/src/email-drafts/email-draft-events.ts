import {
  EmailDraftCreatedSchema,
  EmailDraftDeletedSchema,
  EmailDraftSentSchema,
  EmailDraftUpdatedSchema,
} from "@aiplatform/contract/aiplatform/events/v1/content";
import type { EventCause, OutboxRecord } from "@aiplatform/document-store";
import { eventRecord } from "@aiplatform/event-stream";
import { create } from "@bufbuild/protobuf";
import type { DeliveryCounts } from "./delivery.ts";
import type { EmailDraft } from "./email-draft.ts";
import { draftStatuses } from "./email-draft-message.ts";

export function emailDraftCreated({ id, organisationId }: EmailDraft, time: Date): OutboxRecord {
  const message = create(EmailDraftCreatedSchema, { organisationId, draftId: id });
  return eventRecord(EmailDraftCreatedSchema, message, { organisationId, entityId: id, time });
}

export function emailDraftUpdated({ id, organisationId, revision }: EmailDraft, time: Date): OutboxRecord {
  const message = create(EmailDraftUpdatedSchema, { organisationId, draftId: id, revision });
  return eventRecord(EmailDraftUpdatedSchema, message, { organisationId, entityId: id, time });
}

export function emailDraftDeleted({ id, organisationId }: EmailDraft, time: Date): OutboxRecord {
  const message = create(EmailDraftDeletedSchema, { organisationId, draftId: id });
  return eventRecord(EmailDraftDeletedSchema, message, { organisationId, entityId: id, time });
}

/** What a sending that ended leaves to say. */
export interface SendingEnd {
  counts: DeliveryCounts;
  time: Date;
  /** Who had asked for it. */
  cause: EventCause | undefined;
}

export function emailDraftSent(
  { id, organisationId, status }: Pick<EmailDraft, "id" | "organisationId" | "status">,
  { counts: { sent, failed, unknown }, time, cause }: SendingEnd,
): OutboxRecord {
  const outcome = { status, draftStatus: draftStatuses[status], sentCount: sent, failedCount: failed + unknown };
  const message = create(EmailDraftSentSchema, { organisationId, draftId: id, ...outcome });
  return eventRecord(EmailDraftSentSchema, message, { organisationId, entityId: id, time, cause });
}

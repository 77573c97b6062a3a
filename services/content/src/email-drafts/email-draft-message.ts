import {
  type EmailDelivery as DeliveryMessage,
  DeliveryStatus,
  type EmailDraft as DraftMessage,
  EmailDeliverySchema,
  EmailDraftSchema,
  EmailDraftStatus,
} from "@aiplatform/contract/aiplatform/content/v1/email_drafts";
import { create } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { Delivery, DeliveryState } from "./delivery.ts";
import type { DraftStatus, EmailDraft } from "./email-draft.ts";
import type { SendResult } from "./send-email-draft.ts";
import type { SendingProgress } from "./watch-email-sending.ts";

export const draftStatuses: Readonly<Record<DraftStatus, EmailDraftStatus>> = {
  draft: EmailDraftStatus.DRAFT,
  sending: EmailDraftStatus.SENDING,
  sent: EmailDraftStatus.SENT,
  partially_sent: EmailDraftStatus.PARTIALLY_SENT,
  failed: EmailDraftStatus.FAILED,
};

const deliveryStatuses: Readonly<Record<DeliveryState, DeliveryStatus>> = {
  pending: DeliveryStatus.PENDING,
  attempting: DeliveryStatus.PENDING,
  handing_over: DeliveryStatus.PENDING,
  sent: DeliveryStatus.SENT,
  failed: DeliveryStatus.FAILED,
  skipped: DeliveryStatus.SKIPPED,
  unknown: DeliveryStatus.UNKNOWN,
};

export function draftMessage({
  status,
  createdAt,
  updatedAt,
  sentAt,
  createdByMemberId,
  ...draft
}: EmailDraft): DraftMessage {
  return create(EmailDraftSchema, {
    ...draft,
    status: draftStatuses[status],
    ...(createdByMemberId === undefined ? {} : { createdByMemberId }),
    createdAt: timestampFromDate(createdAt),
    updatedAt: timestampFromDate(updatedAt),
    ...(sentAt ? { sentAt: timestampFromDate(sentAt) } : {}),
  });
}

export function deliveryMessage({ memberId, state, email, messageId, error }: Delivery): DeliveryMessage {
  return create(EmailDeliverySchema, {
    recipientMemberId: memberId,
    status: deliveryStatuses[state],
    ...(email === "" ? {} : { recipientEmail: email }),
    ...(messageId === undefined ? {} : { providerMessageId: messageId }),
    ...(error === undefined ? {} : { error }),
  });
}

export function progressMessage(progress: SendingProgress) {
  const { draftId, status, recipients, sent, failed, skipped, unknown, pending } = progress;
  const counts = { sentCount: sent, failedCount: failed + unknown, skippedCount: skipped, pendingCount: pending };
  return { draftId, status: draftStatuses[status], recipientCount: recipients, ...counts };
}

export function resultMessage({ draftId, counts: { sent, failed, unknown }, deliveries }: SendResult) {
  return { draftId, sentCount: sent, failedCount: failed + unknown, deliveries: deliveries.map(deliveryMessage) };
}

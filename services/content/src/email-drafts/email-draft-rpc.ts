import { type Caller, callerOf } from "@aiplatform/caller-identity";
import {
  type EmailDelivery as DeliveryMessage,
  DeliveryStatus,
  type EmailDraft as DraftMessage,
  EmailDeliverySchema,
  EmailDraftSchema,
  EmailDraftService,
  EmailDraftStatus,
} from "@aiplatform/contract/aiplatform/content/v1/email_drafts";
import { replayable } from "@aiplatform/service-host";
import { create } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { ConnectRouter } from "@connectrpc/connect";
import { authorOf } from "../author.ts";
import type { ContentDependencies } from "../dependencies.ts";
import { assertTemplates } from "./assert-templates.ts";
import { createEmailDraft } from "./create-email-draft.ts";
import { deleteEmailDraft } from "./delete-email-draft.ts";
import type { Delivery, DeliveryState } from "./delivery.ts";
import type { DraftStatus, EmailDraft } from "./email-draft.ts";
import { getEmailDraft } from "./get-email-draft.ts";
import { previewEmailDraft } from "./preview-email-draft.ts";
import { type SendResult, sendEmailDraft } from "./send-email-draft.ts";
import { updateEmailDraft } from "./update-email-draft.ts";
import { type SendingProgress, watchEmailSending } from "./watch-email-sending.ts";

/** Serves EmailDraftService. */
export function emailDraftRoutes(router: ConnectRouter, dependencies: ContentDependencies): void {
  const { createEmailDraft: creating, sendEmailDraft: sending } = EmailDraftService.method;
  const { replays, emailDrafts, deliveries } = dependencies;
  router.service(EmailDraftService, {
    async createEmailDraft(request, context) {
      const caller = callerOf(context);
      const content = await contentOf(dependencies, caller, request);
      const wanted = { organisationId: caller.organisationId, author: authorOf(caller), ...content };
      return await replayable(replays, creating, { request, context }, async (session) => ({
        draft: draftMessage(await createEmailDraft(dependencies, wanted, session)),
      }));
    },
    // Nothing of it is in the session: sending has its own way of happening once.
    sendEmailDraft: (request, context) =>
      replayable(replays, sending, { request, context }, async () => ({
        result: resultMessage(await sendEmailDraft(dependencies, callerOf(context), toId(request.draftId))),
      })),
    async updateEmailDraft(request, context) {
      const caller = callerOf(context);
      const { organisationId } = caller;
      const draftId = toId(request.draftId);
      await getEmailDraft(dependencies, organisationId, draftId);
      const content = await contentOf(dependencies, caller, request);
      const wanted = { organisationId, draftId, ...content };
      return { draft: draftMessage(await updateEmailDraft(dependencies, wanted)) };
    },
    async listEmailDrafts({ limit = 100, cursor }, context) {
      const { items, nextCursor } = await emailDrafts.list(callerOf(context).organisationId, { limit, cursor });
      return { drafts: items.map(draftMessage), nextCursor };
    },
    async getEmailDraft({ draftId }, context) {
      const { organisationId } = callerOf(context);
      return { draft: draftMessage(await getEmailDraft(dependencies, organisationId, toId(draftId))) };
    },
    async previewEmailDraft({ draftId, memberId }, context) {
      const wanted = { draftId: toId(draftId), memberId: memberId?.toLowerCase() };
      return { preview: await previewEmailDraft(dependencies, callerOf(context), wanted) };
    },
    async listEmailDeliveries({ draftId, limit = 1_000, cursor }, context) {
      const { organisationId } = callerOf(context);
      const { id } = await getEmailDraft(dependencies, organisationId, toId(draftId));
      const { items, nextCursor } = await deliveries.list({ organisationId, draftId: id }, { limit, cursor });
      return { deliveries: items.map(deliveryMessage), nextCursor };
    },
    async *watchEmailSending({ draftId }, context) {
      const { organisationId } = callerOf(context);
      const signal = AbortSignal.any([dependencies.draining, context.signal]);
      const watched = { organisationId, draftId: toId(draftId) };
      for await (const progress of watchEmailSending(dependencies, watched, signal))
        yield { progress: progressMessage(progress) };
    },
    async deleteEmailDraft({ draftId }, context) {
      const { organisationId } = callerOf(context);
      return { draft: draftMessage(await deleteEmailDraft(dependencies, organisationId, toId(draftId))) };
    },
  });
}

/** An id as it is stored: callers may write theirs in capitals. */
function toId(id: string): string {
  return id.toLowerCase();
}

/** What a request wants a draft to say, to members of the caller's organisation. */
async function contentOf(
  { recipients, tasks }: Pick<ContentDependencies, "recipients" | "tasks">,
  caller: Caller,
  { subject = "", text, html, recipientMemberIds }: ContentRequest,
) {
  const content = { subject, text, html, recipientMemberIds: recipientMemberIds.map(toId) };
  // Wrong whatever there is comes before what there is not.
  await assertTemplates({ tasks }, caller.organisationId, content);
  await recipients.assertKnown(caller, content.recipientMemberIds);
  return content;
}

type ContentRequest = { subject?: string | undefined; text: string; html: string; recipientMemberIds: string[] };

const draftStatuses: Readonly<Record<DraftStatus, EmailDraftStatus>> = {
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

function draftMessage({ status, createdAt, updatedAt, sentAt, createdByMemberId, ...draft }: EmailDraft): DraftMessage {
  return create(EmailDraftSchema, {
    ...draft,
    status: draftStatuses[status],
    ...(createdByMemberId === undefined ? {} : { createdByMemberId }),
    createdAt: timestampFromDate(createdAt),
    updatedAt: timestampFromDate(updatedAt),
    ...(sentAt ? { sentAt: timestampFromDate(sentAt) } : {}),
  });
}

function deliveryMessage({ memberId, state, email, messageId, error }: Delivery): DeliveryMessage {
  return create(EmailDeliverySchema, {
    recipientMemberId: memberId,
    status: deliveryStatuses[state],
    ...(email === "" ? {} : { recipientEmail: email }),
    ...(messageId === undefined ? {} : { providerMessageId: messageId }),
    ...(error === undefined ? {} : { error }),
  });
}

function progressMessage(progress: SendingProgress) {
  const { draftId, status, recipients, sent, failed, skipped, unknown, pending } = progress;
  const counts = { sentCount: sent, failedCount: failed + unknown, skippedCount: skipped, pendingCount: pending };
  return { draftId, status: draftStatuses[status], recipientCount: recipients, ...counts };
}

function resultMessage({ draftId, counts: { sent, failed, unknown }, deliveries }: SendResult) {
  return { draftId, sentCount: sent, failedCount: failed + unknown, deliveries: deliveries.map(deliveryMessage) };
}

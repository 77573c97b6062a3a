import { type Caller, callerOf } from "@aiplatform/caller-identity";
import { EmailDraftService } from "@aiplatform/contract/aiplatform/content/v1/email_drafts";
import { idempotent } from "@aiplatform/service-host";
import { tagAnswer } from "@aiplatform/service-kit/entity-tag";
import type { ConnectRouter } from "@connectrpc/connect";
import { authorOf } from "../author.ts";
import type { OperationContext } from "../operation-context.ts";
import { assertTemplates } from "./assert-templates.ts";
import { type CreateEmailDraftDependencies, createEmailDraft } from "./create-email-draft.ts";
import { deleteEmailDraft } from "./delete-email-draft.ts";
import { draftVersion } from "./email-draft.ts";
import { deliveryMessage, draftMessage, progressMessage, resultMessage } from "./email-draft-message.ts";
import { previewEmailDraft } from "./preview-email-draft.ts";
import type { Recipients } from "./recipients.ts";
import type { TemplateTasks } from "./render-templates.ts";
import { type SendEmailDraftDependencies, sendEmailDraft } from "./send-email-draft.ts";
import { updateEmailDraft } from "./update-email-draft.ts";
import { type WatchEmailSendingDependencies, watchEmailSending } from "./watch-email-sending.ts";

type Dependencies = OperationContext &
  CreateEmailDraftDependencies &
  SendEmailDraftDependencies &
  WatchEmailSendingDependencies & {
    tasks: TemplateTasks;
    /** Aborted when this replica drains: streams end. */
    draining: AbortSignal;
  };

export function emailDraftRoutes(router: ConnectRouter, dependencies: Dependencies): void {
  const { createEmailDraft: creating, sendEmailDraft: sending } = EmailDraftService.method;
  const { idempotency, emailDrafts, deliveries } = dependencies;
  router.service(EmailDraftService, {
    async createEmailDraft(request, context) {
      const caller = callerOf(context);
      const content = await contentOf(dependencies, caller, request);
      const wanted = { organisationId: caller.organisationId, author: authorOf(caller), ...content };
      return await idempotent(idempotency, creating, { request, context }, async (session) => ({
        draft: draftMessage(await createEmailDraft(dependencies, wanted, session)),
      }));
    },
    // Nothing of it is in the session: sending has its own way of happening once.
    sendEmailDraft: (request, context) =>
      idempotent(idempotency, sending, { request, context }, async () => ({
        result: resultMessage(await sendEmailDraft(dependencies, callerOf(context), toId(request.draftId))),
      })),
    async updateEmailDraft(request, context) {
      const caller = callerOf(context);
      const { organisationId } = caller;
      const draftId = toId(request.draftId);
      await emailDrafts.get(organisationId, draftId);
      const content = await contentOf(dependencies, caller, request);
      const wanted = { organisationId, draftId, ifMatch: request.ifMatch, ...content };
      const draft = await updateEmailDraft(dependencies, wanted);
      tagAnswer(context, draftVersion(draft));
      return { draft: draftMessage(draft) };
    },
    async listEmailDrafts({ limit = 100, ...request }, context) {
      const { items, nextCursor } = await emailDrafts.list(callerOf(context).organisationId, { ...request, limit });
      return { drafts: items.map(draftMessage), nextCursor };
    },
    async getEmailDraft({ draftId }, context) {
      const { organisationId } = callerOf(context);
      const draft = await emailDrafts.get(organisationId, toId(draftId));
      tagAnswer(context, draftVersion(draft));
      return { draft: draftMessage(draft) };
    },
    async previewEmailDraft({ draftId, memberId }, context) {
      const wanted = { draftId: toId(draftId), memberId };
      return { preview: await previewEmailDraft(dependencies, callerOf(context), wanted) };
    },
    async listEmailDeliveries({ draftId, limit = 1_000, ...request }, context) {
      const { organisationId } = callerOf(context);
      const { id } = await emailDrafts.get(organisationId, toId(draftId));
      const { items, nextCursor } = await deliveries.list({ organisationId, draftId: id }, { ...request, limit });
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

/** A draft's id as it is stored: the contract takes any text for it, so that it is not written in lower case before. */
function toId(id: string): string {
  return id.toLowerCase();
}

/** What a request wants a draft to say, to members of the caller's organisation. */
async function contentOf(
  { recipients, tasks }: { recipients: Recipients; tasks: TemplateTasks },
  caller: Caller,
  { subject = "", text, html, recipientMemberIds }: ContentRequest,
) {
  const content = { subject, text, html, recipientMemberIds };
  // Wrong whatever there is comes before what there is not.
  await assertTemplates({ tasks }, caller.organisationId, content);
  await recipients.assertKnown(caller, content.recipientMemberIds);
  return content;
}

type ContentRequest = { subject?: string | undefined; text: string; html: string; recipientMemberIds: string[] };

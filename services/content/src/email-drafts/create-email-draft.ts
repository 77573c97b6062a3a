import type { ClientSession } from "@aiplatform/document-store";
import type { Author } from "../author.ts";
import type { ContentQuotas } from "../content-quotas.ts";
import type { OperationContext } from "../operation-context.ts";
import type { DraftContent, EmailDraft } from "./email-draft.ts";
import { emailDraftCreated } from "./email-draft-events.ts";
import type { EmailDraftStore } from "./email-draft-store.ts";

export interface CreateEmailDraftDependencies extends Pick<OperationContext, "outbox" | "clock" | "newId"> {
  emailDrafts: EmailDraftStore;
  quotas: Pick<ContentQuotas, "admit">;
}

export interface NewEmailDraft extends DraftContent {
  organisationId: string;
  author: Author;
}

/**
 * Writes a draft whose templates were checked. The recipients are looked up when it is sent: a person who is no active member
 * then is skipped. @throws QuotaExceededError
 */
export async function createEmailDraft(
  { emailDrafts, quotas, outbox, clock, newId }: CreateEmailDraftDependencies,
  { organisationId, author, subject, text, html, recipientMemberIds }: NewEmailDraft,
  session: ClientSession,
): Promise<EmailDraft> {
  await quotas.admit(organisationId, { email_drafts: 1 }, session);
  const time = clock();
  const draft: EmailDraft = {
    id: newId(),
    organisationId,
    subject,
    text,
    html,
    recipientMemberIds,
    status: "draft",
    revision: 1,
    createdByMemberId: author.kind === "person" ? author.memberId : undefined,
    createdAt: time,
    updatedAt: time,
  };
  await emailDrafts.insert(organisationId, draft, session);
  await outbox.stage(session, emailDraftCreated(draft, time));
  return draft;
}

import { isDeepStrictEqual } from "node:util";
import type { OperationContext } from "../operation-context.ts";
import { assertChangeable, type DraftContent, type EmailDraft, EmailDraftSendingError } from "./email-draft.ts";
import { emailDraftUpdated } from "./email-draft-events.ts";
import type { EmailDraftStore } from "./email-draft-store.ts";

interface Dependencies extends Pick<OperationContext, "outbox" | "transaction" | "clock"> {
  emailDrafts: EmailDraftStore;
}

/** What a draft is to say from now on, and to whom. */
export interface EmailDraftChange extends DraftContent {
  organisationId: string;
  draftId: string;
}

/**
 * Replaces a draft by one whose templates were checked; the same again changes nothing.
 * @throws EmailDraftNotFoundError, EmailDraftSendingError and EmailDraftSentError
 */
export function updateEmailDraft(
  dependencies: Dependencies,
  { organisationId, draftId, subject, text, html, recipientMemberIds }: EmailDraftChange,
): Promise<EmailDraft> {
  const { emailDrafts, outbox, transaction, clock } = dependencies;
  const content = { subject, text, html, recipientMemberIds };
  return transaction(async (session) => {
    const draft = await dependencies.emailDrafts.get(organisationId, draftId, session);
    assertChangeable(draft);
    if (isDeepStrictEqual({ ...draft, ...content }, draft)) return draft;
    const time = clock();
    const changed = { ...draft, ...content, revision: draft.revision + 1, updatedAt: time };
    if (!(await emailDrafts.replace(organisationId, changed, session))) throw new EmailDraftSendingError(draftId);
    await outbox.stage(session, emailDraftUpdated(changed, time));
    return changed;
  });
}

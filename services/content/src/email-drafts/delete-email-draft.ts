import type { ContentDependencies } from "../dependencies.ts";
import { assertChangeable, type EmailDraft, EmailDraftSendingError } from "./email-draft.ts";
import { emailDraftDeleted } from "./email-draft-events.ts";
import { getEmailDraft } from "./get-email-draft.ts";

/** Deletes a draft. Throws EmailDraftNotFoundError, EmailDraftSendingError and EmailDraftSentError. */
export function deleteEmailDraft(
  dependencies: Pick<ContentDependencies, "emailDrafts" | "outbox" | "transaction" | "clock">,
  organisationId: string,
  draftId: string,
): Promise<EmailDraft> {
  const { emailDrafts, outbox, transaction, clock } = dependencies;
  return transaction(async (session) => {
    const draft = await getEmailDraft(dependencies, organisationId, draftId, session);
    assertChangeable(draft);
    if (!(await emailDrafts.delete(organisationId, draftId, session))) throw new EmailDraftSendingError(draftId);
    await outbox.stage(session, emailDraftDeleted(draft, clock()));
    return draft;
  });
}

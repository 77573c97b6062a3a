import type { OperationContext } from "../operation-context.ts";
import { assertChangeable, type EmailDraft, EmailDraftSendingError } from "./email-draft.ts";
import { emailDraftDeleted } from "./email-draft-events.ts";
import type { EmailDraftStore } from "./email-draft-store.ts";

interface Dependencies extends Pick<OperationContext, "outbox" | "transaction" | "clock"> {
  emailDrafts: EmailDraftStore;
}

/** Deletes a draft. @throws EmailDraftNotFoundError, EmailDraftSendingError and EmailDraftSentError */
export function deleteEmailDraft(
  dependencies: Dependencies,
  organisationId: string,
  draftId: string,
): Promise<EmailDraft> {
  const { emailDrafts, outbox, transaction, clock } = dependencies;
  return transaction(async (session) => {
    const draft = await dependencies.emailDrafts.get(organisationId, draftId, session);
    assertChangeable(draft);
    if (!(await emailDrafts.delete(organisationId, draftId, session))) throw new EmailDraftSendingError(draftId);
    await outbox.stage(session, emailDraftDeleted(draft, clock()));
    return draft;
  });
}

import { isDeepStrictEqual } from "node:util";
import { assertMatch } from "@aiplatform/service-kit/entity-tag";
import type { OperationContext } from "../operation-context.ts";
import {
  assertChangeable,
  type DraftContent,
  draftVersion,
  type EmailDraft,
  EmailDraftSendingError,
} from "./email-draft.ts";
import { emailDraftUpdated } from "./email-draft-events.ts";
import type { EmailDraftStore } from "./email-draft-store.ts";

interface Dependencies extends Pick<OperationContext, "outbox" | "transaction" | "clock"> {
  emailDrafts: EmailDraftStore;
}

/** What a draft is to say from now on, and to whom. */
export interface EmailDraftChange extends DraftContent {
  organisationId: string;
  draftId: string;
  /** Tags, one of which the draft must have. Empty: whatever it has. */
  ifMatch: string;
}

/**
 * Replaces a draft by one whose templates were checked; the same again changes nothing.
 * @throws EmailDraftNotFoundError, EmailDraftSendingError, EmailDraftSentError and EntityTagMismatchError
 */
export function updateEmailDraft(
  dependencies: Dependencies,
  { organisationId, draftId, ifMatch, ...content }: EmailDraftChange,
): Promise<EmailDraft> {
  const { emailDrafts, outbox, transaction, clock } = dependencies;
  return transaction(async (session) => {
    const draft = await dependencies.emailDrafts.get(organisationId, draftId, session);
    assertChangeable(draft);
    // Before the condition: a repeat whose first answer was lost finds its own change.
    if (isDeepStrictEqual({ ...draft, ...content }, draft)) return draft;
    assertMatch(ifMatch, draftVersion(draft), "draft");
    const time = clock();
    const changed = { ...draft, ...content, revision: draft.revision + 1, updatedAt: time };
    if (!(await emailDrafts.replace(organisationId, changed, session))) throw new EmailDraftSendingError(draftId);
    await outbox.stage(session, emailDraftUpdated(changed, time));
    return changed;
  });
}

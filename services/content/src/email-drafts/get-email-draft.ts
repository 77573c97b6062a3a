import type { ClientSession } from "@aiplatform/document-store";
import type { ContentDependencies } from "../dependencies.ts";
import { type EmailDraft, EmailDraftNotFoundError } from "./email-draft.ts";

/** One draft. Throws EmailDraftNotFoundError. */
export async function getEmailDraft(
  { emailDrafts }: Pick<ContentDependencies, "emailDrafts">,
  organisationId: string,
  draftId: string,
  session?: ClientSession,
): Promise<EmailDraft> {
  const draft = await emailDrafts.find(organisationId, draftId, session);
  if (!draft) throw new EmailDraftNotFoundError(draftId);
  return draft;
}

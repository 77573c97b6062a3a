import type { Caller } from "@aiplatform/caller-identity";
import type { ContentDependencies } from "../dependencies.ts";
import { RecipientNotFoundError } from "./email-draft.ts";
import { getEmailDraft } from "./get-email-draft.ts";
import type { Rendered } from "./templates.ts";

/**
 * What a recipient gets; the first where none is named. Throws EmailDraftNotFoundError, RecipientNotFoundError, and
 * TemplateError where the templates cannot be filled in for this one; QueueFullError.
 */
export async function previewEmailDraft(
  dependencies: Pick<ContentDependencies, "emailDrafts" | "recipients" | "tasks">,
  caller: Caller,
  { draftId, memberId }: { draftId: string; memberId: string | undefined },
): Promise<Rendered> {
  const draft = await getEmailDraft(dependencies, caller.organisationId, draftId);
  const wanted = memberId ?? draft.recipientMemberIds[0] ?? "";
  if (!draft.recipientMemberIds.includes(wanted)) throw new RecipientNotFoundError(wanted);
  const recipient = (await dependencies.recipients.resolve(caller, [wanted])).get(wanted);
  if (!recipient) throw new RecipientNotFoundError(wanted);
  const { displayName, email } = recipient;
  const { subject, text, html } = draft;
  const request = { content: { subject, text, html }, values: { member: { display_name: displayName, email } } };
  return dependencies.tasks.run(caller.organisationId, "fillTemplate", request);
}

import type { Caller } from "@aiplatform/caller-identity";
import { RecipientNotFoundError } from "./email-draft.ts";
import type { EmailDraftStore } from "./email-draft-store.ts";
import type { Recipients } from "./recipients.ts";
import type { TemplateTasks } from "./render-templates.ts";
import type { Rendered } from "./templates.ts";

/**
 * What a recipient gets; the first where none is named.
 * @throws EmailDraftNotFoundError, RecipientNotFoundError, and TemplateError where the templates cannot be filled in
 * for this one; QueueFullError
 */
export async function previewEmailDraft(
  dependencies: { emailDrafts: EmailDraftStore; recipients: Recipients; tasks: TemplateTasks },
  caller: Caller,
  { draftId, memberId }: { draftId: string; memberId: string | undefined },
): Promise<Rendered> {
  const draft = await dependencies.emailDrafts.get(caller.organisationId, draftId);
  const wanted = memberId ?? draft.recipientMemberIds[0] ?? "";
  if (!draft.recipientMemberIds.includes(wanted)) throw new RecipientNotFoundError(wanted);
  const recipient = (await dependencies.recipients.resolve(caller, [wanted])).get(wanted);
  if (!recipient) throw new RecipientNotFoundError(wanted);
  const { displayName, email } = recipient;
  const { subject, text, html } = draft;
  const request = { content: { subject, text, html }, values: { member: { display_name: displayName, email } } };
  return dependencies.tasks.run(caller.organisationId, "fillTemplate", request);
}

import { isDuplicateKey } from "@aiplatform/document-store";
import { program } from "../../author.ts";
import { assertTemplates } from "../../email-drafts/assert-templates.ts";
import { createEmailDraft } from "../../email-drafts/create-email-draft.ts";
import type { DraftContent } from "../../email-drafts/email-draft.ts";
import type { Members } from "../../json-object.ts";
import { StepFailedError, type StepWork } from "../step.ts";
import { causingOutbox } from "./causing-outbox.ts";

const uuid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/;
/** Characters at most, as for drafts that people write. */
const longest = { subject: 998, text: 100_000, html: 500_000 };

/** Writes an e-mail draft, once; sending it is for people. */
export const email: StepWork = async (dependencies, { organisationId, members, effectId, cause }) => {
  const { transaction } = dependencies;
  const draft = { organisationId, author: program, ...draftContent(members) };
  await assertTemplates(dependencies, organisationId, draft, { isBackground: true });
  const parts = { ...dependencies, outbox: causingOutbox(dependencies, cause), newId: () => effectId };
  try {
    await transaction((session) => createEmailDraft(parts, draft, session));
  } catch (error) {
    // This step has made it before, and the process ended before that was kept.
    if (!isDuplicateKey(error)) throw error;
  }
  return { output: { draft_id: effectId } };
};

/** What templates made is bounded here: nothing was known of it when the automation was written. */
function draftContent(members: Members): DraftContent {
  const ids = Array.isArray(members["recipient_member_ids"]) ? members["recipient_member_ids"] : [];
  const recipientMemberIds = [...new Set(ids.map((id) => String(id).trim().toLowerCase()))];
  const bad = recipientMemberIds.find((id) => !uuid.test(id));
  if (bad !== undefined)
    throw new StepFailedError(`recipient_member_ids: ${JSON.stringify(bad.slice(0, 100))} is no id`);
  const textOf = (name: keyof typeof longest) => {
    const text = String(members[name] ?? "");
    if (text.length <= longest[name]) return text;
    throw new StepFailedError(`${name}: it has more than ${longest[name]} characters`);
  };
  const subject = textOf("subject");
  if (subject === "") throw new StepFailedError("subject: it is empty");
  return { subject, text: textOf("text"), html: textOf("html"), recipientMemberIds };
}

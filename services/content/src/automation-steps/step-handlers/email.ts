import { program } from "../../author.ts";
import type { DraftContent } from "../../email-drafts/email-draft.ts";
import type { JsonRecord } from "../../json-object.ts";
import { idField } from "../step-fields.ts";
import type { StepHandler } from "../step-handler.ts";
import { StepFailedError } from "../step-outcome.ts";

const uuid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/;
/** Characters at most, as for drafts that people write. */
const maxLength = { subject: 998, text: 100_000, html: 500_000 };

/** Writes an e-mail draft, once; people send it. */
export const email: StepHandler = {
  fields: {
    subject: { kind: "text", required: true, maxLength: 1_000, filling: "email" },
    text: { kind: "text", required: true, maxLength: 100_000, filling: "email" },
    html: { kind: "text", maxLength: 200_000, filling: "email_html" },
    recipient_member_ids: { ...idField, kind: "texts", required: true, maxItems: 1_000 },
  },
  permissions: () => ["emails:write"],
  execute: async ({ createEmailDraft }, { organisationId, fields, effectId: id, cause }) => {
    await createEmailDraft({ organisationId, author: program, ...draftContent(fields) }, { id, cause });
    return { output: { draft_id: id } };
  },
};

/** What templates made is bounded here: nothing was known of it when the automation was written. */
function draftContent(fields: JsonRecord): DraftContent {
  const ids = Array.isArray(fields["recipient_member_ids"]) ? fields["recipient_member_ids"] : [];
  const recipientMemberIds = [...new Set(ids.map((id) => String(id).trim().toLowerCase()))];
  const bad = recipientMemberIds.find((id) => !uuid.test(id));
  if (bad !== undefined)
    throw new StepFailedError(`recipient_member_ids: ${JSON.stringify(bad.slice(0, 100))} is not an id`);
  const bounded = (name: keyof typeof maxLength) => {
    const text = String(fields[name] ?? "");
    if (text.length <= maxLength[name]) return text;
    throw new StepFailedError(`${name}: it has more than ${maxLength[name]} characters`);
  };
  const subject = bounded("subject");
  if (subject === "") throw new StepFailedError("subject: it is empty");
  return { subject, text: bounded("text"), html: bounded("html"), recipientMemberIds };
}

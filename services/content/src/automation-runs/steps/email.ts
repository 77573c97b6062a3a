import { isDuplicateKey } from "@aiplatform/document-store";
import { program } from "../../author.ts";
import { createEmailDraft } from "../../email-drafts/create-email-draft.ts";
import type { StepWork } from "../step.ts";
import { causingOutbox } from "./causing-outbox.ts";

/** Writes an e-mail draft, once; sending it is for people. */
export const email: StepWork = async (dependencies, { organisationId, members, effectId, cause }) => {
  const { transaction } = dependencies;
  const [subject, text, html] = [members["subject"], members["text"], members["html"] ?? ""].map(String);
  const ids = Array.isArray(members["recipient_member_ids"]) ? members["recipient_member_ids"] : [];
  const recipientMemberIds = [...new Set(ids.map((id) => String(id).trim().toLowerCase()))];
  const draft = {
    organisationId,
    author: program,
    subject: subject ?? "",
    text: text ?? "",
    html: html ?? "",
    recipientMemberIds,
  };
  const parts = { ...dependencies, outbox: causingOutbox(dependencies, cause), newId: () => effectId };
  try {
    await transaction((session) => createEmailDraft(parts, draft, session));
  } catch (error) {
    // This step has made it before, and the process ended before that was kept.
    if (!isDuplicateKey(error)) throw error;
  }
  return { output: { draft_id: effectId } };
};

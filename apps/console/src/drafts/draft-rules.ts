import type { EmailDraft } from "../api/platform.ts";

const changes: Readonly<Record<EmailDraft["status"], string | undefined>> = {
  draft: undefined,
  sending: "It is being sent.",
  sent: "It was sent.",
  partially_sent: "It was sent to some recipients.",
  failed: "It was sent, and no recipient got it. Send it again.",
};

const sendings: Readonly<Record<EmailDraft["status"], string | undefined>> = {
  draft: undefined,
  sending: "It is being sent.",
  sent: "It was sent.",
  partially_sent: undefined,
  failed: undefined,
};

/** Why a draft cannot be changed or deleted now; undefined when it can. */
export function changeObjection(status: EmailDraft["status"]): string | undefined {
  return changes[status];
}

/** Why a draft cannot be sent now; undefined when it can. */
export function sendObjection({ status, recipient_member_ids }: EmailDraft): string | undefined {
  if (sendings[status] !== undefined) return sendings[status];
  return recipient_member_ids.length === 0 ? "It has no recipients. Add some, and save it." : undefined;
}

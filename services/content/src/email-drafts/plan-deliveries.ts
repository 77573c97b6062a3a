import { type Delivery, failureText } from "./delivery.ts";

export interface Recipient {
  id: string;
  displayName: string;
  email: string;
  isActive: boolean;
  emailOptedOut: boolean;
}

/**
 * A delivery per recipient, in their order: who is no active member, wants no e-mails, or whose address came before is
 * skipped.
 */
export function planDeliveries(
  draft: { id: string; organisationId: string; recipientMemberIds: readonly string[] },
  known: ReadonlyMap<string, Recipient>,
): Delivery[] {
  const addresses = new Set<string>();
  return draft.recipientMemberIds.map((memberId, position) => {
    const recipient = known.get(memberId);
    const planned = {
      organisationId: draft.organisationId,
      draftId: draft.id,
      position,
      memberId,
      name: recipient?.displayName ?? "",
      email: recipient?.email ?? "",
      attempts: 0,
    };
    if (!recipient?.isActive) return { ...planned, state: "skipped", error: failureText("not_active") };
    if (recipient.emailOptedOut) return { ...planned, state: "skipped", error: failureText("opted_out") };
    const address = recipient.email.toLowerCase();
    if (addresses.has(address)) return { ...planned, state: "skipped", error: failureText("address_repeated") };
    addresses.add(address);
    return { ...planned, state: "pending" };
  });
}

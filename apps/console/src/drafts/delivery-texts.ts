import type { EmailDelivery, Member } from "../api/platform.ts";

/** What each state of a delivery means. */
export const deliveryMeanings: Readonly<Record<EmailDelivery["status"], string>> = {
  sent: "The mail server accepted the message.",
  failed: "It was not accepted. Sending again tries these again.",
  unknown:
    "The message was handed over, and the answer of the mail server was lost. It may have arrived, so it is never sent again by itself. Ask the person.",
  skipped: "Nothing was sent: the person is no active member, wants no e-mails, or has an address that came before.",
  pending: "Not yet, or again later by itself.",
};

const errors: Readonly<Record<string, string>> = {
  address_invalid: "the address cannot be written to",
  template_failed: "the templates cannot be filled in for this recipient",
  refused: "the mail server refused it",
  too_late: "the mail server did not accept it in time",
  answer_lost: "the answer of the mail server was lost",
  not_active: "not an active member",
  opted_out: "wants no e-mails",
  address_repeated: "an earlier recipient has the same address",
};

/** An error of a delivery in words: it begins with its kind, and may end with the reply code of the mail server. */
export function deliveryError(error: string): string {
  const kind = /^[a-z_]+/.exec(error)?.[0] ?? "";
  const text = errors[kind];
  if (text === undefined) return error;
  const code = /\b[245]\d\d\b/.exec(error.slice(kind.length))?.[0];
  return code === undefined ? text : `${text} (${code})`;
}

/** What a sending would do, as far as it is known before. */
export interface SendingForecast {
  recipients: number;
  /** Members who would get the message. */
  reached: number;
  /** Members who would be skipped, by reason. */
  skipped: Readonly<Record<"not_active" | "opted_out" | "address_repeated", number>>;
  /** Recipients of whom nothing is known here. */
  unknown: number;
}

type Recipient = Pick<Member, "status" | "email" | "email_opted_out">;

/** Foresees who would be skipped. The platform looks at the same things when it sends. */
export function sendingForecast(ids: readonly string[], known: ReadonlyMap<string, Recipient>): SendingForecast {
  const skipped = { not_active: 0, opted_out: 0, address_repeated: 0 };
  const addresses = new Set<string>();
  let unknown = 0;
  for (const id of ids) {
    const member = known.get(id);
    if (!member) unknown += 1;
    else if (member.status !== "active") skipped.not_active += 1;
    else if (member.email_opted_out) skipped.opted_out += 1;
    else if (addresses.has(member.email)) skipped.address_repeated += 1;
    else addresses.add(member.email);
  }
  return { recipients: ids.length, reached: addresses.size, skipped, unknown };
}

/** A number of recipients in words. */
export function recipientsText(count: number): string {
  return count === 1 ? "1 recipient" : `${count.toLocaleString("en")} recipients`;
}

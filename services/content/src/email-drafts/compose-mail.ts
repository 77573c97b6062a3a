import { createHash } from "node:crypto";
import MailComposer from "nodemailer/lib/mail-composer";
import type { Delivery } from "./delivery.ts";
import type { EmailDraft } from "./email-draft.ts";
import type { Mailbox } from "./mail-address.ts";
import { oneLine, type Rendered } from "./templates.ts";

/** A mail as the server is given it. */
export interface Mail {
  from: string;
  to: string;
  /** Headers and body; the connection stuffs dots. */
  bytes: Buffer;
}

/** The same for every attempt, so that a repeat can be recognised wherever it arrives. */
export function messageIdOf(
  { id, revision }: Pick<EmailDraft, "id" | "revision">,
  { memberId }: Pick<Delivery, "memberId">,
  from: Mailbox,
): string {
  // Short enough for a header line: not every server unfolds this one.
  const digest = createHash("sha256").update(`${id} ${revision} ${memberId}`).digest("hex").slice(0, 40);
  return `<${digest}@${from.address.slice(from.address.lastIndexOf("@") + 1)}>`;
}

export interface MailContents {
  from: Mailbox;
  to: Mailbox;
  messageId: string;
  date: Date;
  content: Rendered;
}

/** Writes a mail. Each value is one line before it is written, so that no value adds a header of its own. */
export async function composeMail({ from, to, messageId, date, content }: MailContents): Promise<Mail> {
  const composer = new MailComposer({
    from: { name: from.name, address: from.address },
    to: { name: oneLine(to.name), address: to.address },
    subject: oneLine(content.subject),
    text: content.text,
    ...(content.html === "" ? {} : { html: content.html }),
    messageId,
    date,
    disableFileAccess: true,
    disableUrlAccess: true,
    newline: "\r\n",
  });
  return { from: from.address, to: to.address, bytes: await composer.compile().build() };
}

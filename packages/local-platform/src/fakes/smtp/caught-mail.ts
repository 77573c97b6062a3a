/** A mail that was caught. */
export interface CaughtMail {
  id: number;
  received_at: string;
  from: string;
  to: string[];
  subject: string;
  /** Headers and body as they came. */
  source: string;
}

/** The last mails, newest first. */
export class CaughtMails {
  readonly #max: number;
  #mails: CaughtMail[] = [];
  #last = 0;

  /** Older ones than the last `max` are forgotten. */
  constructor(max: number) {
    this.#max = max;
  }

  get all(): readonly CaughtMail[] {
    return this.#mails;
  }

  find(id: number): CaughtMail | undefined {
    return this.#mails.find((mail) => mail.id === id);
  }

  add(mail: Pick<CaughtMail, "from" | "to" | "source">, now: Date): void {
    this.#last += 1;
    const subject = subjectOf(mail.source);
    this.#mails = [{ id: this.#last, received_at: now.toISOString(), ...mail, subject }, ...this.#mails].slice(
      0,
      this.#max,
    );
  }
}

/** The subject as a person reads it; empty where there is none. */
export function subjectOf(source: string): string {
  const [headers = ""] = source.split(/\r?\n\r?\n/, 1);
  const unfolded = headers.replaceAll(/\r?\n[ \t]+/g, " ");
  const subject = /^subject:[ \t]*(.*)$/im.exec(unfolded)?.[1] ?? "";
  // Between two encoded words white space is not meant (RFC 2047).
  const words = subject.replaceAll(/\?=\s+=\?/g, "?==?");
  return words.replaceAll(/=\?utf-8\?([bq])\?([^?]*)\?=/gi, (_, encoding: string, text: string) =>
    decode(encoding, text),
  );
}

function decode(encoding: string, text: string): string {
  if (encoding.toLowerCase() === "b") return Buffer.from(text, "base64").toString();
  const bytes = text
    .replaceAll("_", " ")
    .replaceAll(/=([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, "latin1").toString();
}

import { Readable } from "node:stream";
import SMTPConnection from "nodemailer/lib/smtp-connection";
import type { Mail } from "./compose-mail.ts";
import { type MailServerSettings, MailServerUnavailableError, type Unavailability } from "./mail-server-settings.ts";

/** What the server made of a mail. */
export type MailAnswer =
  | { kind: "accepted" }
  /** For good. */
  | { kind: "refused"; code?: number | undefined }
  /** This time. */
  | { kind: "deferred"; code: number }
  /** The connection broke; whether the server has the mail depends on when. */
  | { kind: "lost" };

/** Failure of a connection, as the library reports it. */
interface SmtpFailure {
  code?: string | undefined;
  responseCode?: number | undefined;
}

const unavailabilities: ReadonlyMap<string, Unavailability> = new Map([
  ["ETIMEDOUT", "too_slow"],
  ["ETLS", "tls_failed"],
  ["EAUTH", "login_refused"],
  ["ENOAUTH", "login_refused"],
]);

/** A connection to the mail server; carries one mail after the other. */
export class MailConnection {
  readonly #smtp: SMTPConnection;
  #isOpen = true;

  private constructor(smtp: SMTPConnection) {
    this.#smtp = smtp;
    smtp.on("error", () => this.close());
    smtp.on("end", () => this.close());
  }

  /** Connects, secures, logs in. @throws MailServerUnavailableError */
  static async open(settings: MailServerSettings): Promise<MailConnection> {
    const smtp = new SMTPConnection(connectionOptions(settings));
    const { promise: failed, reject } = Promise.withResolvers<never>();
    smtp.on("error", reject);
    const timer = setTimeout(() => reject({ code: "ETIMEDOUT" }), settings.connectTimeoutMs);
    try {
      await Promise.race([ready(smtp, settings), failed]);
      return new MailConnection(smtp);
    } catch (error) {
      smtp.close();
      throw new MailServerUnavailableError(unavailabilityOf(error));
    } finally {
      clearTimeout(timer);
    }
  }

  /** Whether another mail can be sent over it. */
  get isOpen(): boolean {
    return this.#isOpen;
  }

  /**
   * Sends a mail. `onContent` is awaited once the server waits for the message, before its first byte is sent; when it
   * rejects, nothing of the message is sent and this rejects alike.
   */
  async send({ from, to, bytes }: Mail, onContent: () => Promise<void>): Promise<MailAnswer> {
    let content: Promise<void> | undefined;
    const message = Readable.from(
      (async function* () {
        content = onContent();
        await content;
        yield bytes;
      })(),
      { objectMode: false },
    );
    const answer = await this.#exchange({ from, to, size: bytes.length }, message);
    // Before anything is made of the answer, it is settled how far the message came.
    const [settled] = await Promise.allSettled([content]);
    if (settled.status === "rejected") {
      this.close();
      throw settled.reason;
    }
    const judged = answer === undefined ? { kind: "accepted" as const } : judge(answer, content !== undefined);
    if (judged.kind === "lost") this.close();
    else if (judged.kind !== "accepted") await this.#reset();
    return judged;
  }

  close(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#smtp.close();
  }

  quit(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#smtp.quit();
  }

  /** Undefined: taken. */
  #exchange(envelope: { from: string; to: string; size: number }, message: Readable): Promise<SmtpFailure | undefined> {
    return new Promise((resolve) => {
      this.#smtp.send(envelope, message, (error) => resolve(error ? failureOf(error) : undefined));
    });
  }

  /** Forgets a mail that was not taken, so that the next one can be sent. */
  async #reset(): Promise<void> {
    if (!this.#isOpen) return;
    const isReset = await new Promise<boolean>((resolve) => {
      this.#smtp.once("error", () => resolve(false));
      this.#smtp.once("end", () => resolve(false));
      this.#smtp.reset((error) => resolve(!error));
    });
    if (!isReset) this.close();
  }
}

/** What a failure says of the mail. */
function judge({ code, responseCode }: SmtpFailure, hasBegun: boolean): MailAnswer {
  // Once the message is on its way only the answer to it counts: anything else may be about the connection.
  const isAnswer = code === "EMESSAGE" || (!hasBegun && code === "EENVELOPE");
  if (!isAnswer) return { kind: "lost" };
  if (responseCode === undefined) return hasBegun ? { kind: "lost" } : { kind: "refused" };
  return responseCode >= 400 && responseCode < 500
    ? { kind: "deferred", code: responseCode }
    : { kind: "refused", code: responseCode };
}

function connectionOptions({ host, port, secure, tls, connectTimeoutMs, timeoutMs }: MailServerSettings) {
  return {
    host,
    port,
    secure,
    requireTLS: tls === "required",
    opportunisticTLS: tls === "opportunistic",
    ignoreTLS: tls === "off",
    connectionTimeout: connectTimeoutMs,
    greetingTimeout: connectTimeoutMs,
    dnsTimeout: connectTimeoutMs,
    socketTimeout: timeoutMs,
    allowInternalNetworkInterfaces: true,
    logger: false,
  };
}

function ready(smtp: SMTPConnection, { user, password }: MailServerSettings): Promise<void> {
  return new Promise((resolve, reject) => {
    smtp.connect((error) => {
      if (error) return reject(error);
      if (user === "") return resolve();
      smtp.login({ user, pass: password }, (refused) => (refused ? reject(refused) : resolve()));
    });
  });
}

function unavailabilityOf(error: unknown): Unavailability {
  const known = unavailabilities.get(failureOf(error).code ?? "");
  if (known) return known;
  const original = typeof error === "object" && error !== null && "originalCode" in error ? error.originalCode : "";
  return /^ERR_(?:SSL|TLS)|CERT|UNABLE_TO/.test(String(original)) ? "tls_failed" : "unreachable";
}

function failureOf(error: unknown): SmtpFailure {
  if (typeof error !== "object" || error === null) return {};
  const code = "code" in error && typeof error.code === "string" ? error.code : undefined;
  const responseCode =
    "responseCode" in error && typeof error.responseCode === "number" ? error.responseCode : undefined;
  return { code, responseCode };
}

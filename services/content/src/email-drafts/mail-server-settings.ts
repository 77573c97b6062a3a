import { type Mailbox, mailbox } from "./mail-address.ts";

/** How TLS is used where the URL does not begin with it. */
export const tlsPolicies = ["required", "opportunistic", "off"] as const;
export type TlsPolicy = (typeof tlsPolicies)[number];

/** A mail server and how it is talked to. */
export interface MailServerSettings {
  host: string;
  port: number;
  /** TLS from the first byte. */
  secure: boolean;
  tls: TlsPolicy;
  user: string;
  password: string;
  from: Mailbox;
  /** Connections that one draft may have. */
  connections: number;
  /** Time for a connection until mail can be sent over it, ms. */
  connectTimeoutMs: number;
  /** Time without a sign of the server, ms. */
  timeoutMs: number;
}

/** Why no mail can be sent just now. */
export type Unavailability = "not_configured" | "unreachable" | "too_slow" | "tls_failed" | "login_refused";

const texts: Readonly<Record<Unavailability, string>> = {
  not_configured: "No mail server is configured",
  unreachable: "The mail server cannot be reached",
  too_slow: "The mail server does not answer in time",
  tls_failed: "No secure connection to the mail server can be made",
  login_refused: "The mail server refuses the platform's login",
};

/** No mail can be sent just now; nothing was. */
export class MailServerUnavailableError extends Error {
  override name = "MailServerUnavailableError";
  readonly kind: Unavailability;
  constructor(kind: Unavailability) {
    // The server's own words may quote a login.
    super(texts[kind]);
    this.kind = kind;
  }
}

/** What the settings say of the mail server. */
export interface MailSettings {
  SMTP_URL: string | undefined;
  SMTP_TLS: string;
  MAIL_FROM: string | undefined;
  SMTP_CONNECTIONS: number;
  SMTP_CONNECT_TIMEOUT_MS: number;
  SMTP_TIMEOUT_MS: number;
}

/** Undefined where no server is configured. @throws Error with a sentence for the operator, which quotes no secret */
export function mailServerSettings(config: MailSettings): MailServerSettings | undefined {
  if (config.SMTP_URL === undefined) return undefined;
  if (!URL.canParse(config.SMTP_URL)) throw new Error("SMTP_URL must be a URL");
  const { protocol, hostname, port, username, password } = new URL(config.SMTP_URL);
  const secure = protocol === "smtps:";
  if (!secure && protocol !== "smtp:") throw new Error("SMTP_URL must begin with smtp:// or smtps://");
  if (hostname === "") throw new Error("SMTP_URL must name a host");
  const from = mailbox(config.MAIL_FROM ?? "");
  if (!from) throw new Error("MAIL_FROM must be an e-mail address, or a name and one in angle brackets");
  return {
    host: hostname.replaceAll(/^\[|\]$/g, ""),
    port: port === "" ? (secure ? 465 : 587) : Number(port),
    secure,
    tls: tlsPolicies.find((policy) => policy === config.SMTP_TLS) ?? "required",
    user: decodeURIComponent(username),
    password: decodeURIComponent(password),
    from,
    connections: config.SMTP_CONNECTIONS,
    connectTimeoutMs: config.SMTP_CONNECT_TIMEOUT_MS,
    timeoutMs: config.SMTP_TIMEOUT_MS,
  };
}

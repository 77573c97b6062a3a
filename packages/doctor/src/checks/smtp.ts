import {
  MailConnection,
  MailServerUnavailableError,
  mailServerSettings,
  type Unavailability,
} from "@aiplatform/content/checkup";
import { type Check, type Finding, failed, fine, warning } from "../check.ts";

const remedies: Readonly<Record<Unavailability, string>> = {
  not_configured: "set SMTP_URL and MAIL_FROM",
  unreachable:
    "SMTP_URL names host and port; 587 (STARTTLS) and 465 (smtps://) are usual, and firewalls often block 25",
  too_slow: "look at the way to the host in SMTP_URL, or raise SMTP_CONNECT_TIMEOUT_MS",
  tls_failed:
    "the server has to offer STARTTLS with a certificate of its name; SMTP_TLS=opportunistic or off does without, where that is safe",
  login_refused: "user name and password in SMTP_URL are percent-encoded; a provider may want a password for apps",
};

/** The mail server: connection, TLS and login, as the service makes them. No mail is sent. */
export const smtp: Check = {
  name: "smtp",
  looks: (services) =>
    services.flatMap((service) => {
      if (service.kind !== "content") return [];
      return [{ of: [service.name], remedy: "mend SMTP_URL", run: () => look(service.config) }];
    }),
};

async function look(config: Parameters<typeof mailServerSettings>[0]): Promise<Finding[]> {
  const settings = mailServerSettings(config);
  if (!settings) return [warning("no mail server is set: drafts cannot be sent", remedies.not_configured)];
  const { host, port, secure, tls, user } = settings;
  try {
    const connection = await MailConnection.open(settings);
    connection.quit();
    const how = secure ? "TLS" : tls === "off" ? "no TLS" : `STARTTLS ${tls}`;
    return [fine(`${host}:${port} answers (${how}${user === "" ? ", no login" : ", logged in"})`)];
  } catch (error) {
    if (!(error instanceof MailServerUnavailableError)) throw error;
    return [failed(`${host}:${port}: ${error.message}`, remedies[error.kind])];
  }
}

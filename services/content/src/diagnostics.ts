import {
  type Check,
  checkService,
  type Diagnostics,
  type Finding,
  failed,
  fine,
  hostChecks,
  peers,
  sharedSecret,
  warning,
} from "@aiplatform/doctor";
import { mongodb } from "@aiplatform/doctor/mongodb";
import { type ContentConfig, contentSettings, readConfig } from "./config.ts";
import { MailConnection } from "./email-drafts/mail-connection.ts";
import {
  MailServerUnavailableError,
  mailServerSettings,
  type Unavailability,
} from "./email-drafts/mail-server-settings.ts";
import { contentMigrations } from "./stores.ts";

export const diagnostics: Diagnostics<ContentConfig> = {
  service: "content",
  settings: contentSettings,
  readConfig,
  checks: (config, env) => [
    ...hostChecks("content", config, env),
    ...mongodb(config, contentMigrations),
    ...sharedSecret("DELEGATION_SECRET", config.DELEGATION_SECRET, env),
    ...peers(config, peersOf(config)),
    mailServer(config),
  ],
};

function peersOf({ PROMPT_API_URL, ...config }: ContentConfig) {
  const { IDENTITY_ADDRESS, TRAINING_ADDRESS, DEPLOYMENTS_ADDRESS, DATA_ADDRESS } = config;
  const addresses = { IDENTITY_ADDRESS, TRAINING_ADDRESS, DEPLOYMENTS_ADDRESS, DATA_ADDRESS };
  return { addresses, urls: { PROMPT_API_URL } };
}

const mailRemedies: Readonly<Record<Unavailability, string>> = {
  not_configured: "set SMTP_URL and MAIL_FROM",
  unreachable:
    "SMTP_URL names host and port; 587 (STARTTLS) and 465 (smtps://) are usual, and firewalls often block 25",
  too_slow: "look at the way to the host in SMTP_URL, or raise SMTP_CONNECT_TIMEOUT_MS",
  tls_failed:
    "the server has to offer STARTTLS with a certificate of its name; SMTP_TLS=opportunistic or off does without, where that is safe",
  login_refused: "user name and password in SMTP_URL are percent-encoded; a provider may want a password for apps",
};

/** Connection, TLS and login, as the service makes them. No mail is sent. */
function mailServer(config: ContentConfig): Check {
  return { name: "smtp", remedy: "correct SMTP_URL", run: () => lookAtMailServer(config) };
}

async function lookAtMailServer(config: ContentConfig): Promise<Finding[]> {
  const settings = mailServerSettings(config);
  if (!settings) return [warning("no mail server is set: drafts cannot be sent", mailRemedies.not_configured)];
  const { host, port, secure, tls, user } = settings;
  try {
    const connection = await MailConnection.open(settings);
    connection.quit();
    const how = secure ? "TLS" : tls === "off" ? "no TLS" : `STARTTLS ${tls}`;
    return [fine(`${host}:${port} answers (${how}${user === "" ? ", no login" : ", logged in"})`)];
  } catch (error) {
    if (!(error instanceof MailServerUnavailableError)) throw error;
    return [failed(`${host}:${port}: ${error.message}`, mailRemedies[error.kind])];
  }
}

export const check = checkService(diagnostics);

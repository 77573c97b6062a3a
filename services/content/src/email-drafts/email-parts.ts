import type { Platform } from "@aiplatform/service-host";
import type { ContentConfig } from "../config.ts";
import { MailServer } from "./mail-server.ts";
import { mailServerSettings } from "./mail-server-settings.ts";
import { Recipients } from "./recipients.ts";
import type { SendingsParts } from "./sendings.ts";
import { Sendings } from "./sendings.ts";
import { SharedReads } from "./shared-reads.ts";
import { betweenLooksMs, type SendingProgress } from "./watch-email-sending.ts";

/** What e-mail drafts need besides what everything needs. */
export interface EmailParts {
  recipients: Recipients;
  mailServer: MailServer;
  sendings: Sendings;
  /** How long a request waits for the end of a sending, ms. */
  answerWithinMs: number;
  /** How sendings go, by draft: read once for all who watch one. */
  progressReads: SharedReads<SendingProgress>;
}

/** Makes the parts as the settings say; drafts whose senders are gone are taken over from now on. */
export function startEmailParts(
  config: ContentConfig,
  { peers, logger }: Pick<Platform, "peers" | "logger">,
  dependencies: Omit<SendingsParts, "mailServer" | "plan" | "leaseMs" | "logger">,
): EmailParts {
  const mailServer = new MailServer(mailServerSettings(config));
  const plan = { retryMs: config.EMAIL_RETRY_MS, giveUpMs: config.EMAIL_GIVE_UP_MS };
  return {
    recipients: new Recipients(() => peers(config.IDENTITY_ADDRESS)),
    mailServer,
    sendings: new Sendings({ ...dependencies, mailServer, plan, leaseMs: config.EMAIL_LEASE_MS, logger }),
    answerWithinMs: config.EMAIL_ANSWER_MS,
    progressReads: new SharedReads(betweenLooksMs),
  };
}

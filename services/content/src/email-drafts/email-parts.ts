import type { Platform } from "@aiplatform/service-host";
import type { WorkerPlatform } from "@aiplatform/service-kit";
import { createInstruments } from "@aiplatform/telemetry";
import type { ContentConfig } from "../config.ts";
import { workMetrics } from "../content-metrics.ts";
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
  { peers, logger, meter, tracer }: Pick<Platform, "peers"> & WorkerPlatform,
  dependencies: Omit<SendingsParts, keyof WorkerPlatform | "mailServer" | "plan" | "leaseMs" | "ended">,
): EmailParts {
  const mailServer = new MailServer(mailServerSettings(config));
  const plan = { retryMs: config.EMAIL_RETRY_MS, giveUpMs: config.EMAIL_GIVE_UP_MS };
  const { email_deliveries_total } = createInstruments(meter, {
    email_deliveries_total: workMetrics.email_deliveries_total,
  });
  const ended: SendingsParts["ended"] = (counts) => {
    for (const status of workMetrics.email_deliveries_total.labels.status)
      email_deliveries_total.add(counts[status], { status });
  };
  return {
    recipients: new Recipients(() => peers(config.IDENTITY_ADDRESS)),
    mailServer,
    sendings: new Sendings({
      ...dependencies,
      mailServer,
      plan,
      leaseMs: config.EMAIL_LEASE_MS,
      logger,
      meter,
      tracer,
      ended,
    }),
    answerWithinMs: config.EMAIL_ANSWER_MS,
    progressReads: new SharedReads(betweenLooksMs),
  };
}

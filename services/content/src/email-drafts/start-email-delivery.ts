import type { Platform } from "@aiplatform/service-host";
import type { WorkerPlatform } from "@aiplatform/service-kit";
import { createInstruments } from "@aiplatform/telemetry";
import { workMetrics } from "../content-metrics.ts";
import { EmailDeliveryWorker, type EmailDeliveryWorkerDependencies } from "./email-delivery-worker.ts";
import { MailServer } from "./mail-server.ts";
import { type MailSettings, mailServerSettings } from "./mail-server-settings.ts";
import { Recipients } from "./recipients.ts";
import { SharedReads } from "./shared-reads.ts";
import { pollMs, type SendingProgress } from "./watch-email-sending.ts";

/** The settings of sending. */
export interface EmailDeliveryConfig extends MailSettings {
  IDENTITY_ADDRESS: readonly string[];
  EMAIL_RETRY_MS: number;
  EMAIL_GIVE_UP_MS: number;
  EMAIL_LEASE_MS: number;
  EMAIL_ANSWER_MS: number;
}

export interface EmailDelivery {
  recipients: Recipients;
  mailServer: MailServer;
  deliveryWorker: EmailDeliveryWorker;
  /** How long a request waits for the end of a sending, ms. */
  answerWithinMs: number;
  /** The progress of sending, by draft: read once for all who watch one. */
  progressReads: SharedReads<SendingProgress>;
}

/** Starts what sends e-mails, as the settings say; drafts whose senders are gone are taken over from now on. */
export function startEmailDelivery(
  config: EmailDeliveryConfig,
  { peers, logger, meter, tracer }: Pick<Platform, "peers"> & WorkerPlatform,
  dependencies: Omit<EmailDeliveryWorkerDependencies, keyof WorkerPlatform | "mailServer" | "ended">,
): EmailDelivery {
  const mailServer = new MailServer(mailServerSettings(config));
  const retries = { retryMs: config.EMAIL_RETRY_MS, giveUpMs: config.EMAIL_GIVE_UP_MS };
  const { email_deliveries_total } = createInstruments(meter, {
    email_deliveries_total: workMetrics.email_deliveries_total,
  });
  const ended: EmailDeliveryWorkerDependencies["ended"] = (counts) => {
    for (const status of workMetrics.email_deliveries_total.labels.status)
      email_deliveries_total.add(counts[status], { status });
  };
  return {
    recipients: new Recipients(() => peers(config.IDENTITY_ADDRESS)),
    mailServer,
    deliveryWorker: new EmailDeliveryWorker(
      { ...dependencies, mailServer, logger, meter, tracer, ended },
      { retries, leaseMs: config.EMAIL_LEASE_MS },
    ),
    answerWithinMs: config.EMAIL_ANSWER_MS,
    progressReads: new SharedReads(pollMs),
  };
}

import { assertNetwork } from "@aiplatform/guarded-fetch";
import { quotaSettings } from "@aiplatform/quotas";
import {
  defineSettings,
  hostSettings,
  readSettings,
  SettingsError,
  type SettingsValues,
  setting,
} from "@aiplatform/service-host";
import { domainSettings } from "@aiplatform/service-kit/settings";
import { workerPoolSettings } from "@aiplatform/worker-pool";
import { mailServerSettings, tlsPolicies } from "./email-drafts/mail-server-settings.ts";

/** Every setting of the service, once: type, default and what it is for. */
export const contentSettings = defineSettings({
  ...hostSettings,
  ...workerPoolSettings,
  ...quotaSettings("content"),
  MAX_MESSAGE_BYTES: setting.integer({
    default: 8_388_608,
    min: 1_024,
    max: 16_777_216,
    description:
      "Largest message a caller may send; RESOURCE_EXHAUSTED above it. Above the 4 MiB that a sample may have.",
  }),
  ...domainSettings({ database: "content", holds: "datasets, automations, e-mail drafts and features" }),
  DELEGATION_SECRET: setting.secretText({
    optional: true,
    minLength: 32,
    description:
      "Secret that identity and content share, under which automations act for who published them; unset: automations " +
      "that have a trigger, or whose steps need permissions, are not published.",
  }),
  TRAINING_ADDRESS: setting.list({
    default: [],
    description:
      "gRPC addresses of training, host:port, separated by commas; needed by steps that train, and to list quotas.",
  }),
  DEPLOYMENTS_ADDRESS: setting.list({
    default: [],
    description:
      "gRPC addresses of deployments, host:port, separated by commas; needed by steps that deploy, to list quotas, and " +
      "to know which deployments use a dataset that is to be deleted.",
  }),
  DATA_ADDRESS: setting.list({
    default: [],
    description:
      "gRPC addresses of the data service, host:port, separated by commas; needed by steps that make or embed versions of datasets, and " +
      "to list its quotas. Empty: the installation has none.",
  }),
  SMTP_URL: setting.secretText({
    optional: true,
    description:
      "Mail server, smtp://user:password@host:port (587 where no port is named), or smtps:// for TLS from the first " +
      "byte (465); unset: no e-mail is sent.",
  }),
  SMTP_TLS: setting.text({
    default: "required",
    oneOf: tlsPolicies,
    description: "TLS on smtp:// connections: required (STARTTLS or nothing), opportunistic, or off.",
  }),
  MAIL_FROM: setting.text({
    optional: true,
    description: "Sender of e-mails, `Name <address>` or an address; needed with SMTP_URL.",
  }),
  SMTP_CONNECTIONS: setting.integer({
    default: 5,
    min: 1,
    max: 50,
    description: "Connections that one draft is sent over.",
  }),
  SMTP_CONNECT_TIMEOUT_MS: setting.duration({
    default: 8_000,
    min: 100,
    max: 15_000,
    description: "Time for a connection to the mail server, with greeting, TLS and login.",
  }),
  SMTP_TIMEOUT_MS: setting.duration({
    default: 60_000,
    min: 100,
    max: 600_000,
    description:
      "Silence of the mail server after which a connection is given up, and what was handed over is unknown.",
  }),
  EMAIL_RETRY_MS: setting.duration({
    default: 30_000,
    min: 10,
    description:
      "Pause before a deferred e-mail (greylisting) is tried again; each further one is twice as long, up to 4 minutes.",
  }),
  EMAIL_GIVE_UP_MS: setting.duration({
    default: 900_000,
    min: 100,
    max: 1_080_000,
    description: "How long a sending tries; what waits then has failed.",
  }),
  EMAIL_LEASE_MS: setting.duration({
    default: 15_000,
    min: 300,
    max: 60_000,
    description: "Time without a sign of life after which another process goes on with a sending.",
  }),
  EMAIL_ANSWER_MS: setting.duration({
    default: 25_000,
    min: 100,
    max: 28_000,
    description: "How long the request that sends a draft waits for the end; the sending goes on.",
  }),
  PROMPT_API_URL: setting.url({
    optional: true,
    description:
      "Language models, the URL above /chat/completions of an OpenAI-compatible endpoint; unset: prompt steps fail.",
  }),
  PROMPT_API_KEY: setting.secretText({ optional: true, description: "Key for PROMPT_API_URL, sent as a bearer." }),
  PROMPT_MODEL: setting.text({ default: "default", description: "Model for prompt steps that name none." }),
  PROMPT_TIMEOUT_MS: setting.duration({
    default: 60_000,
    min: 100,
    max: 600_000,
    description: "Time that a language model has for one answer.",
  }),
  PROMPT_ALLOWED_NETWORKS: setting.list({
    default: [],
    check: assertNetwork,
    description:
      "Networks (CIDR) that PROMPT_API_URL may be in although they are not public; without TLS it must be in one.",
  }),
  AUTOMATION_LEASE_MS: setting.duration({
    default: 15_000,
    min: 300,
    max: 60_000,
    description: "Time without a sign of life after which another process goes on with a run of an automation.",
  }),
  AUTOMATION_RETRY_MS: setting.duration({
    default: 1_000,
    min: 10,
    description:
      "Pause before a step, or a question to a language model, that met an outage is tried again; each further one is twice " +
      "as long.",
  }),
  AUTOMATION_RUNS_AT_ONCE: setting.integer({
    default: 20,
    min: 1,
    max: 1_000,
    description:
      "Runs of automations that one process executes at once; one organisation gets about half of them at most.",
  }),
});

function assertMailServer(config: SettingsValues<typeof contentSettings>): void {
  try {
    mailServerSettings(config);
  } catch (error) {
    throw new SettingsError([error instanceof Error ? error.message : String(error)]);
  }
}

export type ContentConfig = SettingsValues<typeof contentSettings>;

/** Reads the environment. @throws SettingsError with every mistake in it */
export function readConfig(env: Readonly<Record<string, string | undefined>>): ContentConfig {
  const config = readSettings(contentSettings, env);
  assertMailServer(config);
  return config;
}

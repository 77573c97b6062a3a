import { type SettingsValues, serviceKeySettings, setting } from "@aiplatform/service-host";

/** Where the event stream is, how it is stored, and who signs what is told there. */
export const streamSettings = {
  ...serviceKeySettings,
  EVENT_SIGNATURES: setting.text({
    default: "required",
    oneOf: ["required", "accept-unsigned"],
    description:
      "required: events are taken when the service that may publish them has signed them; accept-unsigned: also without a signature, while services of a version that does not sign still run.",
  }),
  NATS_URL: setting.text({
    description:
      "NATS servers with JetStream, separated by commas; nats://user:password@host:port where they want a password.",
  }),
  NATS_NKEY: setting.secretText({
    optional: true,
    description: "Seed of the NKey with which the service signs in to NATS; unset: the login in NATS_URL, or none.",
  }),
  NATS_CA_FILE: setting.text({
    optional: true,
    description:
      "PEM file of the authorities that certify the NATS servers; set, nothing is sent without TLS. Read again at each connection.",
  }),
  NATS_STREAM: setting.text({ default: "aiplatform", description: "JetStream stream that events are published to." }),
  NATS_STREAM_REPLICAS: setting.integer({
    default: 1,
    min: 1,
    max: 5,
    description: "Servers of a NATS cluster that each keep the stream; the same at every service, 3 in production.",
  }),
  NATS_STREAM_MAX_BYTES: setting.integer({
    default: 536_870_912,
    min: 1_048_576,
    max: 1_099_511_627_776,
    description:
      "Bytes that the stream of events may hold; when it is full, events wait in the database. The same at every service.",
  }),
};

/** Longest path of the console: it stands in every link. */
const maxConsolePath = 100;

/** Names that need no encoding and cannot be files or RPCs. */
function assertConsolePath(path: string): void {
  if (path.length <= maxConsolePath && /^(?:\/[A-Za-z0-9_-]+)+\/$/.test(path)) return;
  throw new Error(
    `must be one or more names of letters, digits, - and _, with a slash before and after each, at most ${maxConsolePath} characters, such as /console/`,
  );
}

/** Where the console is: the gateway serves it there, and identity sends browsers there. */
export const consoleSettings = {
  CONSOLE_PATH: setting.text({
    default: "/console/",
    check: assertConsolePath,
    description:
      "Path of the console, such as /tools/ai/; the same in identity and the gateway. No operation and no other page may have its first name.",
  }),
};

/** Settings of a service's own database and of the event stream. `holds` completes "MongoDB replica set that holds …". */
export function domainSettings({ database, holds }: { database: string; holds: string }) {
  return {
    MONGODB_URI: setting.secretText({ description: `MongoDB replica set that holds ${holds}.` }),
    MONGODB_PASSWORD: setting.secretText({
      optional: true,
      description:
        "Password of the MongoDB user that is called like the database; unset: the login in MONGODB_URI, or none.",
    }),
    MONGODB_DATABASE: setting.text({ default: database, description: "Database of this service alone." }),
    PURGE_SETTLE_MS: setting.integer({
      default: 120_000,
      min: 1_000,
      max: 3_600_000,
      description:
        "Time after which calls and transactions that had begun before a deletion have ended, ms; what they have left is removed by one more look after that. An organisation counts as purged then.",
    }),
    ...streamSettings,
  };
}

export type DomainConfig = SettingsValues<ReturnType<typeof domainSettings>>;

import { defineSettings, hostSettings, readSettings, type SettingsValues, setting } from "@aiplatform/service-host";

/** Every setting of the service, once: type, default and what it is for. */
export const contentSettings = defineSettings({
  ...hostSettings,
  MAX_MESSAGE_BYTES: setting.integer({
    default: 8_388_608,
    min: 1_024,
    max: 16_777_216,
    says: "Largest message a caller may send; RESOURCE_EXHAUSTED above it. Above the 4 MiB that a sample may have.",
  }),
  MONGODB_URI: setting.secretText({
    says: "MongoDB replica set that holds datasets, automations, e-mail drafts and features.",
  }),
  MONGODB_DATABASE: setting.text({ default: "content", says: "Database of this service alone." }),
  NATS_URL: setting.text({ says: "NATS servers with JetStream, separated by commas." }),
  NATS_STREAM: setting.text({ default: "aiplatform", says: "JetStream stream that events are published to." }),
});

/** The settings as the service receives them. */
export type ContentConfig = SettingsValues<typeof contentSettings>;

/** Reads the environment. Throws SettingsError with every mistake in it. */
export function readConfig(env: Readonly<Record<string, string | undefined>>): ContentConfig {
  return readSettings(contentSettings, env);
}

import { defineSettings, hostSettings, readSettings, type SettingsValues, setting } from "@aiplatform/service-host";

/** Every setting of the service, once: type, default and what it is for. */
export const trainingSettings = defineSettings({
  ...hostSettings,
  MONGODB_URI: setting.secretText({ says: "MongoDB replica set that holds runs, jobs' logs and reports." }),
  MONGODB_DATABASE: setting.text({ default: "training", says: "Database of this service alone." }),
  NATS_URL: setting.text({
    says: "NATS servers with JetStream, separated by commas; nats://user:password@host:port where they want a login.",
  }),
  NATS_STREAM: setting.text({ default: "aiplatform", says: "JetStream stream that events are published to." }),
  NATS_STREAM_REPLICAS: setting.integer({
    default: 1,
    min: 1,
    max: 5,
    says: "Servers of a NATS cluster that each keep the stream; the same at every service, 3 in production.",
  }),
  NATS_STREAM_MAX_BYTES: setting.integer({
    default: 536_870_912,
    min: 1_048_576,
    max: 1_099_511_627_776,
    says: "Bytes that the stream of events may hold; when it is full, events wait in the database. The same at every service.",
  }),
  COMMAND_EXPIRY_MS: setting.duration({
    default: 900_000,
    min: 100,
    says: "Time without a sign of life from a trainer after which a pending command is rejected as expired.",
  }),
  SWEEP_INTERVAL_MS: setting.duration({
    default: 1_000,
    min: 10,
    says: "Pause between two looks for commands and leases that have run out.",
  }),
  LOG_CHECK_INTERVAL_MS: setting.duration({
    default: 2_000,
    min: 10,
    says: "Pause between two looks for what other replicas wrote, should their wake-ups have been lost.",
  }),
  CACHED_JOBS: setting.integer({
    default: 10_000,
    min: 1,
    max: 10_000_000,
    says: "Jobs whose folded state is kept in memory.",
  }),
});

/** The settings as the service receives them. */
export type TrainingConfig = SettingsValues<typeof trainingSettings>;

/** Reads the environment. Throws SettingsError with every mistake in it. */
export function readConfig(env: Readonly<Record<string, string | undefined>>): TrainingConfig {
  return readSettings(trainingSettings, env);
}

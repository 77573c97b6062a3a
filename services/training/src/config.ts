import { quotaSettings } from "@aiplatform/quotas";
import { defineSettings, hostSettings, readSettings, type SettingsValues, setting } from "@aiplatform/service-host";
import { domainSettings } from "@aiplatform/service-kit/settings";

/** Every setting of the service, once: type, default and what it is for. */
export const trainingSettings = defineSettings({
  ...hostSettings,
  ...domainSettings({ database: "training", holds: "runs, jobs' logs and reports" }),
  ...quotaSettings("training"),
  DEPLOYMENTS_ADDRESS: setting.list({
    default: [],
    description:
      "gRPC addresses of deployments, host:port, separated by commas; needed to verify checkpoints that were uploaded, and to say what was made of runs.",
  }),
  DATA_ADDRESS: setting.list({
    default: [],
    description:
      "gRPC addresses of the data service, host:port, separated by commas; needed for runs that read versions of datasets. Empty: there are none.",
  }),
  COMMAND_EXPIRY_MS: setting.duration({
    default: 900_000,
    min: 100,
    description: "Time without a sign of life from a trainer after which a pending command is rejected as expired.",
  }),
  SWEEP_INTERVAL_MS: setting.duration({
    default: 1_000,
    min: 10,
    description:
      "Pause between two looks for commands and leases that have run out; up to five times as long until something will.",
  }),
  LOG_CHECK_INTERVAL_MS: setting.duration({
    default: 2_000,
    min: 10,
    description:
      "Pause between two looks for what other replicas wrote, should their messages have been lost; up to five times as long " +
      "while none are.",
  }),
  LOG_RETENTION_DAYS: setting.integer({
    default: 30,
    min: 1,
    max: 3_650,
    description:
      "Days after which the lines that trainers log are removed; a change holds for lines that come after it.",
  }),
  LOG_BYTES_PER_JOB: setting.integer({
    default: 67_108_864,
    min: 65_536,
    max: 10_737_418_240,
    description: "Bytes of lines that are kept of each job, with some batches more; the oldest go first.",
  }),
  CACHED_JOBS: setting.integer({
    default: 10_000,
    min: 1,
    max: 10_000_000,
    description: "Jobs whose folded state is kept in memory.",
  }),
});

/** The settings as the service receives them. */
export type TrainingConfig = SettingsValues<typeof trainingSettings>;

/** @throws SettingsError with every mistake in the environment */
export function readConfig(env: Readonly<Record<string, string | undefined>>): TrainingConfig {
  return readSettings(trainingSettings, env);
}

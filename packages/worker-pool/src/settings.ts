import { defineSettings, type SettingsValues, setting } from "@aiplatform/service-host";

/** What every service with a pool has; a service spreads these into its own declaration. */
export const workerPoolSettings = defineSettings({
  WORKER_THREADS: setting.integer({
    default: 2,
    min: 1,
    max: 64,
    description:
      "Worker threads for heavy computation on requests; one organisation uses all but one of them at a time.",
  }),
  WORKER_QUEUE_LENGTH: setting.integer({
    default: 32,
    min: 1,
    max: 10_000,
    description: "Requests of one organisation that may wait for a worker thread; more are answered with 503.",
  }),
  WORKER_MEMORY_MB: setting.integer({
    default: 96,
    min: 32,
    max: 4_096,
    description:
      "JavaScript heap of one worker thread, MiB; a task that needs more is refused, and its thread is replaced.",
  }),
});

export type WorkerPoolConfig = SettingsValues<typeof workerPoolSettings>;

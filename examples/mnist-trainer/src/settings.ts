import { defineSettings, hostSettings, setting, tlsSettings } from "@aiplatform/service-host";

const { OTEL_EXPORTER_OTLP_ENDPOINT, TRACE_RATIO, TRACES_PER_SECOND } = hostSettings;

/** Everything that can be set from outside. */
export const trainerSettings = defineSettings({
  OTEL_EXPORTER_OTLP_ENDPOINT,
  TRACE_RATIO,
  TRACES_PER_SECOND,
  TRAINING_ADDRESS: setting.list({ description: "The training service's gRPC addresses, host:port." }),
  ...tlsSettings,
  API_KEY: setting.secretText({
    description: "An API key with the permission metrics:report, and metrics:read with PIPELINE_ID.",
  }),
  RUN_ID: setting.text({ optional: true, description: "The run to train." }),
  PIPELINE_ID: setting.text({
    optional: true,
    description: "In place of RUN_ID: the pipeline whose queued jobs are worked off, one after the other.",
  }),
  MODEL_DIRECTORIES: setting.list({
    default: [],
    description: "With PIPELINE_ID: where models to evaluate may lie besides DATA_DIRECTORY.",
  }),
  JOB_NAME: setting.text({ default: "mnist", description: "The job of the run to train." }),
  DATA_DIRECTORY: setting.text({
    default: ".local/trainer",
    description: "Where checkpoints and results are kept; one directory a job.",
  }),
  STEPS_PER_SECOND: setting.integer({
    default: 50,
    min: 0,
    max: 100_000,
    description: "Bounds the pace; at 50 the run lasts an hour and a half. 0: as fast as it goes.",
  }),
  EXIT_WHEN_ENDED: setting.flag({
    default: false,
    description:
      "Whether the process ends with its job; otherwise it stays idle, for supervisors that restart whatever ends.",
  }),
  LOG_LEVEL: setting.text({
    default: "info",
    oneOf: ["debug", "info", "warn", "error"],
    description: "The least level that is logged.",
  }),
});

import { defineSettings, type SettingsValues } from "./settings/read-settings.ts";
import { setting } from "./settings/setting.ts";
import { tlsSettings } from "./tls/tls-settings.ts";

/** What every service has; a service spreads these into its own declaration. */
export const hostSettings = defineSettings({
  HOST: setting.text({ default: "0.0.0.0", description: "Address that all three ports bind." }),
  GRPC_PORT: setting.port({ default: 50_051, description: "Port for gRPC; 0 takes any free one." }),
  HTTP_PORT: setting.port({
    default: 8_080,
    description: "Port for Connect, gRPC-Web and JSON over HTTP/1.1; 0 takes any free one.",
  }),
  ADMIN_PORT: setting.port({
    default: 9_090,
    description: "Port for /livez, /readyz and /metrics; 0 takes any free one.",
  }),
  IDENTITY_ADDRESS: setting.list({
    default: [],
    description:
      "gRPC addresses of identity, host:port, separated by commas; after a `|` a fallback; needed by every service but identity.",
  }),
  ...tlsSettings,
  LOG_LEVEL: setting.text({
    default: "info",
    oneOf: ["fatal", "error", "warn", "info", "debug", "trace", "silent"],
    description: "Least level that is logged; debug logs every call.",
  }),
  OTEL_EXPORTER_OTLP_ENDPOINT: setting.url({
    optional: true,
    description:
      "Collector for traces (OTLP over HTTP); without it no spans are made, and trace ids only pass through.",
  }),
  TRACE_RATIO: setting.ratio({
    default: 1,
    description:
      "Share of the traces begun here that are kept, 0 to 1; a trace that another service began is kept if it keeps it.",
  }),
  TRACES_PER_SECOND: setting.integer({
    default: 100,
    min: 1,
    description:
      "Most traces begun here in a second that are kept, whatever a caller's traceparent asks for; ten times as many are followed.",
  }),
  CONNECTION_AGE_MS: setting.duration({
    default: 300_000,
    min: 1_000,
    description:
      "Age, give or take a tenth, at which a gRPC connection gives way to a new one, which may lead to a replica that was added; calls and streams under way end where they are.",
  }),
  FAILED_CREDENTIALS_PER_MINUTE: setting.integer({
    default: 20,
    min: 2,
    description:
      "The failed credential of one source address within a minute from which on new ones are refused with 429. Identity counts those of all services, any other service its own.",
  }),
  CALL_TIMEOUT_MS: setting.duration({
    default: 40_000,
    min: 1,
    description:
      "Longest a unary call may take; a caller's shorter deadline wins. Above the 30 seconds a caller may ask to wait.",
  }),
  MAX_MESSAGE_BYTES: setting.integer({
    default: 4_194_304,
    min: 1_024,
    max: 16_777_216,
    description: "Largest message a caller may send; RESOURCE_EXHAUSTED above it.",
  }),
  CHECK_TIMEOUT_MS: setting.duration({
    default: 2_000,
    min: 1,
    description: "Time a readiness check has before it counts as failed.",
  }),
  SHUTDOWN_DELAY_MS: setting.duration({
    default: 0,
    description:
      "Wait between reporting not ready and refusing calls, for routing to notice; some seconds on Kubernetes.",
  }),
  SHUTDOWN_GRACE_MS: setting.duration({
    default: 20_000,
    description: "Time that calls under way have to finish before they are ended with UNAVAILABLE.",
  }),
});

export type HostConfig = SettingsValues<typeof hostSettings>;

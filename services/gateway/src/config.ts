import { defineSettings, hostSettings, type SettingsValues, setting } from "@aiplatform/service-host";

/** Everything an operator can set on the gateway. */
export const gatewaySettings = defineSettings({
  ...hostSettings,
  TRAINING_ADDRESS: setting.list({ says: "gRPC addresses of the training service, host:port, separated by commas." }),
  TRAINING_HTTP_URL: setting.url({
    says: "URL of the training service for Connect and gRPC-Web calls passed through.",
  }),
  IDENTITY_HTTP_URL: setting.url({
    says: "URL of the identity service for Connect and gRPC-Web calls passed through.",
  }),
  NATS_URL: setting.text({ says: "NATS server that announces changed credentials." }),
  BODY_LIMIT_BYTES: setting.integer({ default: 1_048_576, says: "Largest request body; 413 above it." }),
  REQUESTS_PER_SECOND: setting.integer({
    default: 5_000,
    says: "Requests an organisation may make in a second; 429 above it.",
  }),
  ORGANISATION_CONCURRENCY: setting.integer({
    default: 512,
    says: "Requests of one organisation under way at once, streams and long polls included; 429 above it.",
  }),
  TOTAL_CONCURRENCY: setting.integer({ default: 4_096, says: "Requests under way at once; 503 above it." }),
});

export type GatewayConfig = SettingsValues<typeof gatewaySettings>;

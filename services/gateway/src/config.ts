import { SessionCookie } from "@aiplatform/caller-identity";
import {
  defineSettings,
  hostSettings,
  readSettings,
  SettingsError,
  type SettingsValues,
  setting,
} from "@aiplatform/service-host";
import { consoleSettings, streamSettings } from "@aiplatform/service-kit/settings";
import { assertFreeConsolePath } from "./console/console-path.ts";
import { assertOrigin } from "./edge/cors.ts";
import { createSourceReader } from "./edge/source-address.ts";

// What hosts of RPCs need and an edge does not.
const { GRPC_PORT: _, CALL_TIMEOUT_MS: __, MAX_MESSAGE_BYTES: ___, ...edgeSettings } = hostSettings;

/** Everything an operator can set on the gateway. */
export const gatewaySettings = defineSettings({
  ...edgeSettings,
  HTTP_PORT: setting.port({
    default: 8_080,
    description: "Port for REST, Connect, gRPC-Web and gRPC, over HTTP/1.1 and HTTP/2; 0 takes any free one.",
  }),
  HTTP_TLS_CERT_FILE: setting.text({
    optional: true,
    description:
      "PEM file of the certificate that clients of HTTP_PORT see, followed by those between it and its authority; read again when it changes. Unset: HTTP_PORT is without TLS, for a load balancer that has it.",
  }),
  HTTP_TLS_KEY_FILE: setting.text({ optional: true, description: "PEM file of that certificate's private key." }),
  IDENTITY_ADDRESS: setting.list({ description: "gRPC addresses of identity, host:port, separated by commas." }),
  IDENTITY_HTTP_URL: setting.url({
    description: "URL of identity for Connect, gRPC-Web and gRPC calls that are passed through.",
  }),
  TRAINING_ADDRESS: setting.list({ description: "gRPC addresses of training, host:port, separated by commas." }),
  TRAINING_HTTP_URL: setting.url({
    description: "URL of training for Connect, gRPC-Web and gRPC calls that are passed through.",
  }),
  CONTENT_ADDRESS: setting.list({ description: "gRPC addresses of content, host:port, separated by commas." }),
  CONTENT_HTTP_URL: setting.url({
    description: "URL of content for Connect, gRPC-Web and gRPC calls that are passed through.",
  }),
  DEPLOYMENTS_ADDRESS: setting.list({ description: "gRPC addresses of deployments, host:port, separated by commas." }),
  DEPLOYMENTS_HTTP_URL: setting.url({
    description: "URL of deployments for Connect, gRPC-Web and gRPC calls that are passed through.",
  }),
  DATA_ADDRESS: setting.list({
    default: [],
    description:
      "gRPC addresses of the data service, host:port, separated by commas. Empty: the installation has none, and its operations are 404.",
  }),
  DATA_HTTP_URL: setting.url({
    optional: true,
    description:
      "URL of the data service for Connect, gRPC-Web and gRPC calls that are passed through; needed with DATA_ADDRESS.",
  }),
  SERVING_CA_FILE: setting.text({
    optional: true,
    description:
      "PEM file of the authorities that certify instances of deployments; read again when it changes. Unset: predictions go to instances without TLS.",
  }),
  SERVING_TLS: setting.text({
    default: "required",
    oneOf: ["required", "accept-plain"],
    description:
      "With SERVING_CA_FILE. required: predictions go over TLS alone; accept-plain: also without it to instances that have no certificate, while such instances still run.",
  }),
  ...streamSettings,
  JUPYTERHUB_URL: setting.url({
    optional: true,
    path: "/notebooks",
    description:
      "Base URL of the JupyterHub that /notebooks is passed on to; its own path is /notebooks, too. Unset: 404.",
  }),
  PUBLIC_URL: setting.url({
    optional: true,
    check: assertPublicUrl,
    description:
      "URL at which browsers reach the gateway, the same as in identity: https, or http on this machine. Only its pages may use a browser's session. Unset: there are no sessions.",
  }),
  ...consoleSettings,
  CONSOLE_DIRECTORY: setting.text({
    optional: true,
    description:
      "Directory of the built console. Unset: the one that was built with the gateway, as in its image; from sources there is none.",
  }),
  CONSOLE_PREVIOUS_DIRECTORY: setting.text({
    optional: true,
    description:
      "Directory of the console as the version before was built: pages that were opened before an upgrade find its assets there.",
  }),
  CORS_ALLOWED_ORIGINS: setting.list({
    default: [],
    check: assertOrigin,
    description:
      "Origins, separated by commas, whose pages may use the API from a browser, except for notebooks. Empty: none.",
  }),
  HEADERS_TIMEOUT_MS: setting.duration({
    default: 10_000,
    min: 100,
    description:
      "Time in which a request's headers must arrive, from their first byte; 408 and the connection's end after it.",
  }),
  REQUEST_TIMEOUT_MS: setting.duration({
    default: 30_000,
    min: 100,
    description: "Time in which a whole request must arrive, its body included; 408 and the connection's end after it.",
  }),
  ANSWER_TIMEOUT_MS: setting.duration({
    default: 30_000,
    min: 100,
    description:
      "Time in which a client may take nothing of an answer or a stream that waits for it; the connection's end after it.",
  }),
  MIN_ANSWER_BYTES_PER_SECOND: setting.integer({
    default: 8_192,
    min: 1,
    description:
      "Least rate at which a client must take what waits for it; the connection's end once it is ANSWER_TIMEOUT_MS behind.",
  }),
  BODY_LIMIT_BYTES: setting.integer({
    default: 1_048_576,
    min: 1_024,
    description: "Largest request body; 413 above it.",
  }),
  // Above what one gateway and one replica of each service answer of the load test's mix on two cores, which was some 200 a second.
  // Fair shares protect organisations from each other below it; it stops a program that runs wild.
  REQUESTS_PER_SECOND: setting.integer({
    default: 500,
    min: 1,
    description: "Requests an organisation may make in a second at each replica of the gateway; 429 above it.",
  }),
  ORGANISATION_CONCURRENCY: setting.integer({
    default: 512,
    min: 1,
    description: "Predictions of one organisation under way at once; 429 above it.",
  }),
  TOTAL_CONCURRENCY: setting.integer({
    default: 4_096,
    min: 1,
    description:
      "Requests of all callers under way at once, without streams; above it, 503 for organisations that have their share.",
  }),
  ORGANISATION_STREAMS: setting.integer({
    default: 512,
    min: 1,
    description:
      "Streams, long polls and visits to notebooks of one organisation under way at once, and as many streams of its trainers and uploads; 429 above it.",
  }),
  TOTAL_STREAMS: setting.integer({
    default: 4_096,
    min: 1,
    description:
      "Streams, long polls and visits to notebooks of all callers under way at once; above it, 503 for organisations that have their share.",
  }),
  CALL_SLACK_MS: setting.duration({
    default: 50,
    min: 1,
    description:
      "How much longer than twice their usual time a service's calls may take before fewer are let through at once; 503 above their limit.",
  }),
  SHED_DELAY_MS: setting.duration({
    default: 100,
    min: 1,
    description:
      "Lateness of the event loop from which on, after a second, requests are refused with 503 as they arrive.",
  }),
  ANONYMOUS_REQUESTS_PER_MINUTE: setting.integer({
    default: 600,
    min: 1,
    description:
      "Requests without credential, refused or not, that a source address may make in a minute; 429 above it.",
  }),
  ANONYMOUS_CONCURRENCY: setting.integer({
    default: 512,
    min: 1,
    description:
      "Requests without a credential that is known to be good which a source address may have under way at once; 429 above it.",
  }),
  TRUSTED_PROXIES: setting.list({
    default: [],
    check: assertNetwork,
    description:
      "Networks (CIDR), separated by commas, whose X-Forwarded-For is believed: those of the load balancers in front.",
  }),
});

/** Over plain HTTP, anyone on the way could take the session. */
function assertPublicUrl({ href }: URL): void {
  if (!SessionCookie.at(href))
    throw new Error("must be an https URL, or an http URL of this machine such as http://127.0.0.1:8080");
}

function assertNetwork(text: string): void {
  try {
    createSourceReader([text]);
  } catch {
    throw new Error(`must be networks such as 10.0.0.0/8; ${text} is not one`);
  }
}

export type GatewayConfig = SettingsValues<typeof gatewaySettings>;

/** Reads and checks everything. @throws SettingsError */
export function readConfig(env: Readonly<Record<string, string | undefined>>): GatewayConfig {
  const config = readSettings(gatewaySettings, env);
  assertFreeConsolePath(config.CONSOLE_PATH);
  if (config.DATA_ADDRESS.length > 0 !== (config.DATA_HTTP_URL !== undefined))
    throw new SettingsError(["DATA_ADDRESS and DATA_HTTP_URL need each other"]);
  return config;
}

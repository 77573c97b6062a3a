import { readSettings, type SettingsValues } from "@aiplatform/service-host/read-settings";
import { setting } from "@aiplatform/service-host/setting";

function assertProxy(text: string): void {
  if (!/^(unix:\/|http:\/\/)/.test(text)) throw new Error("must begin with unix:/ or http://");
}

/** Everything a driver sets on an instance. */
const runtimeSettings = {
  SERVING_DIRECTORY: setting.text({ description: "Directory of the version's files." }),
  SERVING_MANIFEST: setting.text({ description: "File that says what is served: JSON, as README.md describes." }),
  SERVING_TOKEN: setting.secretText({
    minLength: 16,
    description: "What `Authorization: Bearer` must carry for everything but health and metrics.",
  }),
  HOST: setting.text({ default: "127.0.0.1", description: "Address to listen on." }),
  PORT: setting.port({ default: 0, description: "Port for HTTP; 0 takes any free one." }),
  LISTEN_FD: setting.integer({
    optional: true,
    min: 3,
    max: 1_024,
    description: "Descriptor of a socket that listens already, instead of HOST and PORT: a sandbox opens none.",
  }),
  EGRESS_PROXY: setting.text({
    optional: true,
    check: assertProxy,
    description:
      "The proxy by which a handler with the network reaches it: `http://127.0.0.1:port`, or `unix:` and the path of a socket. " +
      "Unset: without one.",
  }),
  GRPC_PORT: setting.port({ optional: true, description: "Port for gRPC; 0 takes any free one. Unset: no gRPC." }),
  TLS_CERT_FILE: setting.text({
    optional: true,
    description:
      "PEM file of the certificate that clients see on both ports, which then take TLS 1.3 alone; read again when it changes. Unset: without TLS.",
  }),
  TLS_KEY_FILE: setting.text({ optional: true, description: "PEM file of that certificate's private key." }),
  MAX_BODY_BYTES: setting.integer({
    default: 16_777_216,
    min: 1_024,
    max: 1_073_741_824,
    description: "Largest request body, and largest answer of a handler.",
  }),
  LOAD_TIMEOUT_MS: setting.duration({
    default: 60_000,
    min: 100,
    description: "Longest time a handler takes to load.",
  }),
  ONNX_THREADS: setting.integer({
    default: 1,
    min: 0,
    max: 1_024,
    description: "Threads that share the work of one run of an ONNX model; 0: one for each processor.",
  }),
  SHUTDOWN_DELAY_MS: setting.duration({
    default: 0,
    description: "Between readiness withdrawn and the end of new connections.",
  }),
  SHUTDOWN_GRACE_MS: setting.duration({
    default: 25_000,
    description: "What requests under way have left on SIGTERM.",
  }),
  SERVING_GUARD: setting.text({
    optional: true,
    oneOf: ["stdin"],
    description: "`stdin`: ends at once when standard input ends, as it does when its parent process dies.",
  }),
};

/** The settings as the runtime receives them. */
export type RuntimeConfig = SettingsValues<typeof runtimeSettings>;

/** Reads and checks everything at once. @throws SettingsError */
export function readConfig(env: Readonly<Record<string, string | undefined>>): RuntimeConfig {
  return readSettings(runtimeSettings, env);
}

import type { Check, Environment } from "../check.ts";
import { certificates } from "./certificates.ts";
import { natsClock } from "./clock.ts";
import { type NatsConfig, nats } from "./nats.ts";
import { ports } from "./ports.ts";
import { runtime } from "./runtime.ts";
import { telemetry } from "./telemetry.ts";

interface HostedConfig extends NatsConfig {
  HOST: string;
  HTTP_PORT: number;
  ADMIN_PORT: number;
  GRPC_PORT?: number;
  OTEL_EXPORTER_OTLP_ENDPOINT?: string | undefined;
  TLS_CERT_FILE?: string | undefined;
}

/** What every service stands on: Node, its ports, NATS, clocks, certificates of the mesh and the collector of traces. */
export function hostChecks(
  service: string,
  config: HostedConfig,
  env: Environment,
  more: { ports?: Readonly<Record<string, number>>; unasked?: readonly string[] } = {},
): Check[] {
  const { HOST: host, HTTP_PORT, ADMIN_PORT, GRPC_PORT, TLS_CERT_FILE } = config;
  // The edge has no gRPC port, and takes connections without certificates.
  const ofMesh = TLS_CERT_FILE && GRPC_PORT !== undefined ? ["HTTP_PORT", "GRPC_PORT"] : [];
  const own = { HTTP_PORT, ADMIN_PORT, ...(GRPC_PORT !== undefined && { GRPC_PORT }), ...more.ports };
  return [
    runtime,
    ports({ service, host, ports: own, unasked: [...ofMesh, ...(more.unasked ?? [])] }),
    nats(service, config),
    natsClock(service, config),
    ...certificates(env),
    ...telemetry(config.OTEL_EXPORTER_OTLP_ENDPOINT),
  ];
}

import type { ServiceAssertions } from "@aiplatform/caller-identity";
import { Health, HealthCheckResponse_ServingStatus } from "@aiplatform/contract/grpc/health/v1/health";
import {
  assertionInterceptor,
  type Check,
  createMeshTransport,
  type MeshIdentity,
  outgoingCallInterceptor,
  type Telemetry,
} from "@aiplatform/service-host";
import { type Client, createClient } from "@connectrpc/connect";
import { runKey, servicesByUpstream, type Upstream, upstreams } from "./upstreams.ts";

export interface UpstreamsOptions {
  /** gRPC addresses, host:port. */
  readonly addresses: Readonly<Record<Upstream, readonly string[]>>;
  /** URLs for calls that are passed through. */
  readonly urls: Readonly<Record<Upstream, string>>;
  readonly telemetry: Telemetry;
  readonly tls: MeshIdentity | undefined;
  /** How the gateway proves to services that it is the gateway. */
  readonly assertions: ServiceAssertions;
}

export type Upstreams = ReturnType<typeof connectUpstreams>;

/** The services behind the gateway. */
export function connectUpstreams({ addresses, urls, telemetry, tls, assertions }: UpstreamsOptions) {
  const shared = { interceptors: [outgoingCallInterceptor(telemetry), assertionInterceptor(assertions)], tls };
  const transports = {
    identity: createMeshTransport({ ...shared, addresses: addresses.identity }),
    training: createMeshTransport({ ...shared, addresses: addresses.training, pick: runKey }),
    content: createMeshTransport({ ...shared, addresses: addresses.content }),
    deployments: createMeshTransport({ ...shared, addresses: addresses.deployments }),
  } satisfies Record<Upstream, unknown>;
  return {
    transports,
    /** Where calls are passed through to. */
    targets: [...servicesByUpstream].map(([upstream, services]) => ({ upstream, url: urls[upstream], services })),
    checks: Object.fromEntries(
      upstreams.map((upstream) => [upstream, serving(createClient(Health, transports[upstream]))]),
    ),
    close() {
      for (const transport of Object.values(transports)) transport.close();
    },
  };
}

/** Whether the service answers and is ready. */
function serving(health: Client<typeof Health>): Check {
  return async (signal) => {
    const { status } = await health.check({}, { signal });
    if (status !== HealthCheckResponse_ServingStatus.SERVING) throw new Error("is not serving");
  };
}

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
import { absentService } from "./absent-service.ts";
import { runKey, servicesByUpstream, type Upstream, upstreams } from "./upstreams.ts";

export interface UpstreamsOptions {
  /** gRPC addresses, host:port. None: the installation does not have the service, which only data may be. */
  readonly addresses: Readonly<Record<Upstream, readonly string[]>>;
  /** URLs for calls that are passed through. Absent: no RPC of the service is there. */
  readonly urls: Readonly<Record<Exclude<Upstream, "data">, string> & { data: string | undefined }>;
  readonly telemetry: Telemetry;
  readonly tls: MeshIdentity | undefined;
  /** How the gateway proves to services that it is the gateway. */
  readonly assertions: ServiceAssertions;
}

export type Upstreams = ReturnType<typeof connectUpstreams>;

/** The services behind the gateway. */
export function connectUpstreams({ addresses, urls, telemetry, tls, assertions }: UpstreamsOptions) {
  const shared = { interceptors: [outgoingCallInterceptor(telemetry), assertionInterceptor(assertions)], tls };
  const { data } = addresses;
  const transports = {
    identity: createMeshTransport({ ...shared, addresses: addresses.identity }),
    training: createMeshTransport({ ...shared, addresses: addresses.training, pick: runKey }),
    content: createMeshTransport({ ...shared, addresses: addresses.content }),
    deployments: createMeshTransport({ ...shared, addresses: addresses.deployments }),
    data: data.length === 0 ? absentService("data") : createMeshTransport({ ...shared, addresses: data }),
  } satisfies Record<Upstream, unknown>;
  return {
    transports,
    /** Where calls are passed through to. */
    targets: [...servicesByUpstream].flatMap(([upstream, services]) => {
      const url = urls[upstream];
      return url === undefined ? [] : [{ upstream, url, services }];
    }),
    checks: Object.fromEntries(
      upstreams
        .filter((upstream) => addresses[upstream].length > 0)
        .map((upstream) => [upstream, serving(createClient(Health, transports[upstream]))]),
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

import { randomUUIDv7 } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import {
  assertAccessDeclared,
  assertEffectsDeclared,
  FailedCredentialLimiter,
  ServiceAssertions,
} from "@aiplatform/caller-identity";
import { Health } from "@aiplatform/contract/grpc/health/v1/health";
import { ServerReflection } from "@aiplatform/contract/grpc/reflection/v1/reflection";
import type { ServiceKeys } from "@aiplatform/service-keys";
import type { DescService } from "@bufbuild/protobuf";
import type { DestinationStream } from "pino";
import { type Callers, callersFromIdentity } from "./callers.ts";
import type { Readiness } from "./checks/readiness.ts";
import { openReadiness } from "./checks/watch-checks.ts";
import { startGrpcServer } from "./grpc/grpc-server.ts";
import type { HostConfig } from "./host-settings.ts";
import type { ErrorTable } from "./interceptors/error-mapping.ts";
import { serverInterceptors } from "./interceptors.ts";
import { createLogger, type Logger } from "./logger.ts";
import { assertionInterceptor } from "./mesh/assertion.ts";
import { createMeshTransport, type MeshTransport } from "./mesh/mesh-transport.ts";
import type { Platform, RunningService, ServiceParts } from "./platform.ts";
import { reflectionService } from "./reflection/reflection.ts";
import { ServerReflectionV1alpha } from "./reflection/reflection-v1alpha.ts";
import { startAdminServer } from "./serving/admin-server.ts";
import { healthService } from "./serving/health.ts";
import { startHttpServer } from "./serving/http-server.ts";
import { recordRoutes } from "./serving/recorded-routes.ts";
import { type ShutdownStep, shutDown } from "./serving/shutdown.ts";
import { observeExchange } from "./telemetry/observe-exchange.ts";
import { outgoingCallInterceptor } from "./telemetry/outgoing-calls.ts";
import { startTelemetry, type Telemetry } from "./telemetry/telemetry.ts";
import { MeshIdentity } from "./tls/mesh-identity.ts";

export interface ServiceDefinition {
  readonly name: string;
  readonly config: HostConfig;
  /** Every service of the contract that is served here; each RPC must declare who may call it, and how its effect is recorded. */
  readonly services: readonly DescService[];
  readonly errors: ErrorTable;
  /**
   * Whether an error without a `google.rpc.ErrorInfo` gets one that names its code; default true. Off, what a handler throws
   * as a ConnectError is answered with exactly the details that it has.
   */
  readonly addsReasons?: boolean;
  readonly start: (platform: Platform) => Promise<ServiceParts>;
  /** Its own key and those of all services. Absent: it proves nothing to others, and asks no proof of them. */
  readonly keys?: ServiceKeys;
  /** Whether services that prove nothing are believed; default false. */
  readonly acceptsMissingAssertions?: boolean;
  /** Default `"exchange"`: keys and credentials are asked of identity at IDENTITY_ADDRESS. */
  readonly callers?: "exchange" | Callers;
  /** Default: one that writes to `log`. */
  readonly logger?: Logger;
  /** Where log lines go; default standard output. */
  readonly log?: DestinationStream;
}

/** Starts a service on its three ports. @throws whatever stopped it, after closing what was already open. */
export async function startService(definition: ServiceDefinition): Promise<RunningService> {
  const { name, config } = definition;
  assertAccessDeclared(definition.services);
  assertEffectsDeclared(definition.services);
  const destination = definition.log ? { destination: definition.log } : {};
  const logger = definition.logger ?? createLogger({ service: name, level: config.LOG_LEVEL, ...destination });
  const telemetry = startTelemetry({ service: name, config });
  // Grows while the service starts, from the last step to the first, so that a failed start closes what it opened.
  const steps: ShutdownStep[] = [{ name: "telemetry sent", run: () => telemetry.close() }];
  try {
    const tls = MeshIdentity.open(config, logger);
    if (tls) steps.unshift({ name: "TLS closed", run: () => tls.close() });
    const assertions = definition.keys && new ServiceAssertions(definition.keys, () => new Date());
    const addresses = await open(definition, { logger, telemetry, tls, steps, assertions });
    let stopping: Promise<void> | undefined;
    const stop = () => {
      stopping ??= shutDown(steps, logger);
      return stopping;
    };
    return { name, addresses, stop, [Symbol.asyncDispose]: stop };
  } catch (error) {
    await shutDown(steps, logger).catch(() => {});
    throw error;
  }
}

interface Opening {
  readonly assertions: ServiceAssertions | undefined;
  readonly logger: Logger;
  readonly telemetry: Telemetry;
  readonly tls: MeshIdentity | undefined;
  readonly steps: ShutdownStep[];
}

async function open(
  definition: ServiceDefinition,
  { logger, telemetry, tls, steps, assertions }: Opening,
): Promise<RunningService["addresses"]> {
  const { config, addsReasons = true } = definition;
  const { HOST: host, SHUTDOWN_GRACE_MS: graceMs } = config;
  let readiness: Readiness | undefined;
  const admin = await startAdminServer({
    host,
    port: config.ADMIN_PORT,
    readiness: () => readiness,
    exposeMetrics: telemetry.exposeMetrics,
  });
  steps.unshift({ name: "admin port closed", run: () => admin.close() });

  const draining = new AbortController();
  const platform = createPlatform({ logger, telemetry, tls, steps, assertions, signal: draining.signal });
  const callers = callersOf(definition, platform);
  if (callers.exchange) observeExchange(telemetry.meter, callers.exchange);
  const parts = await definition.start(callers.exchange ? { ...platform, exchange: callers.exchange } : platform);
  steps.unshift(
    ...parts.close.map((run, index) => ({ name: `part ${index + 1} of ${parts.close.length} closed`, run })),
  );

  const { readiness: served, close } = openReadiness({
    meter: telemetry.meter,
    checks: { ...parts.checks, ...(tls ? { tls_certificate: tls.check } : {}) },
    dependencies: parts.dependencies ?? {},
    timeoutMs: config.CHECK_TIMEOUT_MS,
  });
  readiness = served;
  steps.unshift({ name: "dependencies no longer watched", run: close });
  const reflections = [ServerReflection, ServerReflectionV1alpha];
  const declared = [...definition.services, Health, ...reflections];
  const routes = recordRoutes((router) => {
    parts.routes(router);
    router.service(Health, healthService(served, new Set(definition.services.map(({ typeName }) => typeName))));
    for (const reflection of reflections) router.service(reflection, reflectionService(declared));
  }, declared);
  const { refusals } = parts;
  const recording = refusals && { service: definition.name, clock: platform.clock, refusals };
  const interceptors = serverInterceptors({
    ...platform,
    ...{ errors: definition.errors, addsReasons, callers },
    failedCredentials: new FailedCredentialLimiter({ perMinute: config.FAILED_CREDENTIALS_PER_MINUTE }),
    trust: assertions && { assertions, acceptsMissing: definition.acceptsMissingAssertions ?? false },
    ...(recording ? { recording } : {}),
  }).map(({ interceptor }) => interceptor);
  const limits = { callTimeoutMs: config.CALL_TIMEOUT_MS, maxMessageBytes: config.MAX_MESSAGE_BYTES };
  const shared = { host, interceptors, addsReasons, logger, tls, ...limits };
  const grpc = await startGrpcServer({
    ...shared,
    services: routes.services,
    port: config.GRPC_PORT,
    connectionAgeMs: config.CONNECTION_AGE_MS,
  });
  steps.unshift({ name: "gRPC calls finished", run: () => grpc.stop(graceMs) });
  const http = await startHttpServer({
    ...shared,
    port: config.HTTP_PORT,
    services: definition.services,
    routes: routes.replay,
  });
  steps.shift();
  steps.unshift(
    { name: "readiness withdrawn", run: () => served.enter("draining") },
    { name: "drain delay", run: () => delay(config.SHUTDOWN_DELAY_MS) },
    { name: "background work told", run: () => draining.abort() },
    { name: "streams told", run: () => parts.drain?.() },
    { name: "calls finished", run: () => Promise.all([grpc.stop(graceMs), http.stop(graceMs)]) },
  );
  served.enter("serving");
  const reachable = reachableHost(host);
  return {
    grpc: `${reachable}:${grpc.port}`,
    http: `${tls ? "https" : "http"}://${reachable}:${http.port}`,
    admin: `http://${reachable}:${admin.port}`,
  };
}

function createPlatform({
  logger,
  telemetry,
  tls,
  steps,
  assertions,
  signal,
}: Opening & { signal: AbortSignal }): Platform {
  const transports = new Map<string, MeshTransport>();
  const proven = assertions ? [assertionInterceptor(assertions)] : [];
  const interceptors = [outgoingCallInterceptor(telemetry), ...proven];
  steps.unshift({
    name: "connections to peers closed",
    run: () => {
      for (const transport of transports.values()) transport.close();
    },
  });
  return {
    logger,
    clock: () => new Date(),
    newId: () => randomUUIDv7(),
    signal,
    meter: telemetry.meter,
    tracer: telemetry.tracer,
    peers(address) {
      const key = String(address);
      const transport = transports.get(key) ?? createMeshTransport({ addresses: address, interceptors, tls });
      transports.set(key, transport);
      return transport;
    },
  };
}

function callersOf({ callers = "exchange", config }: ServiceDefinition, { peers, clock }: Platform): Callers {
  if (callers !== "exchange") return callers;
  return callersFromIdentity({ addresses: config.IDENTITY_ADDRESS, peers, now: clock });
}

/** The address to tell others on this machine: what is bound everywhere is reached at loopback. */
function reachableHost(host: string): string {
  if (host === "0.0.0.0" || host === "::") return "127.0.0.1";
  return host.includes(":") ? `[${host}]` : host;
}

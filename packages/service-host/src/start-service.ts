import { randomUUID, randomUUIDv7 } from "node:crypto";
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
import type { Alternative } from "./alternative-service.ts";
import { type Callers, callersFromIdentity } from "./callers.ts";
import type { Readiness } from "./checks/readiness.ts";
import { openReadiness } from "./checks/watch-checks.ts";
import { type GrpcServer, startGrpcServer } from "./grpc/grpc-server.ts";
import type { HostConfig } from "./host-settings.ts";
import type { ErrorTable } from "./interceptors/error-mapping.ts";
import { serverInterceptors } from "./interceptors.ts";
import { createLogger, type Logger } from "./logger.ts";
import { PeerConnections } from "./mesh/peer-connections.ts";
import type { Platform, RunningService, ServiceParts } from "./platform.ts";
import { reflectionService } from "./reflection/reflection.ts";
import { ServerReflectionV1alpha } from "./reflection/reflection-v1alpha.ts";
import { startAdminServer } from "./serving/admin-server.ts";
import { healthService } from "./serving/health.ts";
import { type HttpServer, startHttpServer } from "./serving/http-server.ts";
import { type RecordedRoutes, recordRoutes } from "./serving/recorded-routes.ts";
import { type ShutdownStep, shutDown } from "./serving/shutdown.ts";
import { observeExchange } from "./telemetry/observe-exchange.ts";
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
  // Closes what is open when the start fails. A service that has started is closed by its shutdown.
  const opened = new AsyncDisposableStack();
  try {
    const { addresses, shutdown } = await open(definition, logger, opened);
    let stopping: Promise<void> | undefined;
    const stop = () => {
      stopping ??= shutDown(shutdown, logger);
      return stopping;
    };
    return { name, addresses, stop, [Symbol.asyncDispose]: stop };
  } catch (error) {
    await opened.disposeAsync().catch((err: unknown) => logger.error({ err }, "closing after a failed start failed"));
    throw error;
  }
}

interface Opened {
  readonly addresses: RunningService["addresses"];
  /** In the order in which it happens. */
  readonly shutdown: readonly ShutdownStep[];
}

async function open(definition: ServiceDefinition, logger: Logger, opened: AsyncDisposableStack): Promise<Opened> {
  const { name, config } = definition;
  const { HOST: host, SHUTDOWN_GRACE_MS: graceMs } = config;
  const telemetry = opened.adopt(startTelemetry({ service: name, config }), (one) => one.close());
  const tls = MeshIdentity.open(config, logger);
  opened.defer(() => tls?.close());
  const assertions = definition.keys && new ServiceAssertions(definition.keys, () => new Date());
  let readiness: Readiness | undefined;
  const { exposeMetrics } = telemetry;
  const ports = { host, port: config.ADMIN_PORT };
  const admin = await startAdminServer({ ...ports, readiness: () => readiness, exposeMetrics });
  opened.defer(() => admin.close());

  const draining = new AbortController();
  const peers = opened.adopt(new PeerConnections({ telemetry, tls, assertions }), (one) => one.close());
  const platform = createPlatform({ logger, telemetry, peers, signal: draining.signal });
  const callers = callersOf(definition, platform);
  const { exchange } = callers;
  if (exchange) observeExchange(telemetry.meter, exchange);
  const parts = await definition.start(exchange ? { ...platform, exchange } : platform);
  for (const { run } of parts.close.toReversed()) opened.defer(async () => void (await run()));

  const watched = openReadiness({
    meter: telemetry.meter,
    checks: { ...parts.checks, ...(tls ? { tls_certificate: tls.check } : {}) },
    dependencies: parts.dependencies ?? {},
    timeoutMs: config.CHECK_TIMEOUT_MS,
  });
  readiness = watched.readiness;
  opened.defer(() => watched.close());
  const serving = { platform, callers, parts, tls, assertions, readiness };
  const { grpc, http } = await serveCalls(definition, serving, opened);

  const shutdown: ShutdownStep[] = [
    { name: "readiness withdrawn", run: () => watched.readiness.enter("draining") },
    { name: "drain delay", run: () => delay(config.SHUTDOWN_DELAY_MS) },
    { name: "background work stopped", run: () => draining.abort() },
    { name: "streams drained", run: () => parts.drain?.() },
    { name: "calls finished", run: () => Promise.all([grpc.stop(graceMs), http.stop(graceMs)]) },
    { name: "dependencies no longer watched", run: () => watched.close() },
    ...parts.close,
    { name: "connections to peers closed", run: () => peers.close() },
    { name: "admin port closed", run: () => admin.close() },
    ...(tls ? [{ name: "TLS closed", run: () => tls.close() }] : []),
    { name: "telemetry sent", run: () => telemetry.close() },
  ];
  readiness.enter("serving");
  const reachable = reachableHost(host);
  const addresses = {
    grpc: `${reachable}:${grpc.port}`,
    http: `${tls ? "https" : "http"}://${reachable}:${http.port}`,
    admin: `http://${reachable}:${admin.port}`,
  };
  return { addresses, shutdown };
}

interface Serving {
  readonly platform: Platform;
  readonly callers: Callers;
  readonly parts: ServiceParts;
  readonly tls: MeshIdentity | undefined;
  readonly assertions: ServiceAssertions | undefined;
  readonly readiness: Readiness;
}

/** Both ports for calls, with the same implementations behind the same interceptors. */
async function serveCalls(
  definition: ServiceDefinition,
  serving: Serving,
  opened: AsyncDisposableStack,
): Promise<{ grpc: GrpcServer; http: HttpServer }> {
  const { config, services, addsReasons = true } = definition;
  const { tls, platform } = serving;
  const proof = portProof(definition);
  let httpPort: number | undefined;
  const alternative = () => (httpPort === undefined ? undefined : { port: httpPort, proof: proof() });
  const routes = routesOf(services, serving, alternative);
  const shared = {
    ...{ host: config.HOST, interceptors: interceptorsOf(definition, serving), addsReasons },
    ...{ logger: platform.logger, tls },
    callTimeoutMs: config.CALL_TIMEOUT_MS,
    maxMessageBytes: config.MAX_MESSAGE_BYTES,
  };
  const http = await startHttpServer({ ...shared, port: config.HTTP_PORT, services, routes, proof });
  opened.defer(() => http.stop(config.SHUTDOWN_GRACE_MS));
  // First: the gRPC port tells of it.
  httpPort = http.port;
  const grpc = await startGrpcServer({
    ...shared,
    services: routes.services,
    port: config.GRPC_PORT,
    connectionAgeMs: config.CONNECTION_AGE_MS,
  });
  return { grpc, http };
}

/** What the service implements, and what every service does: health and reflection. */
function routesOf(
  services: ServiceDefinition["services"],
  { parts, readiness }: Serving,
  alternative: () => Alternative | undefined,
): RecordedRoutes {
  const reflections = [ServerReflection, ServerReflectionV1alpha];
  const declared = [...services, Health, ...reflections];
  return recordRoutes((router) => {
    parts.routes(router);
    router.service(
      Health,
      healthService(readiness, { services: new Set(services.map(({ typeName }) => typeName)), alternative }),
    );
    for (const reflection of reflections) router.service(reflection, reflectionService(declared));
  }, declared);
}

/** The same of all replicas where they have a key: behind one address for all of them, each may be asked for it. */
function portProof({ name, keys }: ServiceDefinition): () => string {
  const own = randomUUID();
  return () => keys?.sign("port-proof", Buffer.from(name)) ?? own;
}

function interceptorsOf(definition: ServiceDefinition, { platform, callers, parts, assertions }: Serving) {
  const { name, config, errors, addsReasons = true, acceptsMissingAssertions: acceptsMissing = false } = definition;
  const { refusals } = parts;
  return serverInterceptors({
    ...platform,
    ...{ errors, addsReasons, callers },
    failedCredentials: new FailedCredentialLimiter({ perMinute: config.FAILED_CREDENTIALS_PER_MINUTE }),
    trust: assertions && { assertions, acceptsMissing },
    ...(refusals ? { recording: { service: name, clock: platform.clock, refusals } } : {}),
  }).map(({ interceptor }) => interceptor);
}

function createPlatform(o: {
  logger: Logger;
  telemetry: Telemetry;
  peers: PeerConnections;
  signal: AbortSignal;
}): Platform {
  return {
    logger: o.logger,
    clock: () => new Date(),
    newId: () => randomUUIDv7(),
    signal: o.signal,
    meter: o.telemetry.meter,
    tracer: o.telemetry.tracer,
    peers: (address) => o.peers.to(address),
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

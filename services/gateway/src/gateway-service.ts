import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import { createCredentialExchange, type RememberingExchange } from "@aiplatform/caller-identity";
import { DeploymentService } from "@aiplatform/contract/aiplatform/deployments/v1/deployments";
import { DeploymentStatusChangedSchema } from "@aiplatform/contract/aiplatform/events/v1/deployments";
import { CredentialChangedSchema } from "@aiplatform/contract/aiplatform/events/v1/identity";
import { CredentialService } from "@aiplatform/contract/aiplatform/identity/v1/credentials";
import { NotebookSessionService } from "@aiplatform/contract/aiplatform/identity/v1/notebook_sessions";
import { Health, HealthCheckResponse_ServingStatus } from "@aiplatform/contract/grpc/health/v1/health";
import {
  connectEventStream,
  createRefusalReporter,
  decodeEvent,
  type EventStream,
  eventSubject,
  streamOf,
} from "@aiplatform/event-stream";
import {
  type Check,
  createLogger,
  createMeshTransport,
  listen,
  MeshIdentity,
  observeExchange,
  openReadiness,
  outgoingCallInterceptor,
  type RunningProcess,
  SettingsError,
  type ShutdownStep,
  shutDown,
  startAdminServer,
  startTelemetry,
  type Telemetry,
} from "@aiplatform/service-host";
import { callerFromTransport, createTranscoder } from "@aiplatform/transcoder";
import { type Client, createClient } from "@connectrpc/connect";
import type { Admission } from "./admission.ts";
import { admitCaller, type Gate } from "./admit-caller.ts";
import { openApiDocument } from "./api-description.ts";
import type { GatewayConfig } from "./config.ts";
import { createCrossOrigin } from "./cross-origin.ts";
import { createDoor, type Door } from "./door.ts";
import { createEarlyRefusal } from "./early-refusal.ts";
import { createEdgeServer, stopEdgeServer } from "./edge-server.ts";
import { createNotebookProxy, type NotebookProxy } from "./notebook-proxy.ts";
import { NotebookPasses } from "./notebook-proxy-passes.ts";
import { isNotebookPath } from "./notebook-proxy-path.ts";
import { readJupyterCredential } from "./notebook-proxy-visit.ts";
import { type OverloadProtection, protectFromOverload } from "./overload-protection.ts";
import { type Owner, ownerOf, runKey, servicesByOwner } from "./owners.ts";
import { createPages } from "./pages.ts";
import { createPredictionProxy, type PredictionProxy } from "./prediction-proxy.ts";
import { predictionRoute } from "./prediction-proxy-path.ts";
import { PredictionRoutes } from "./prediction-proxy-routes.ts";
import { rateLimitHeaders } from "./rate-limit-headers.ts";
import { observeRequests, type RequestObservation } from "./request-observation.ts";
import { createPurposeReader } from "./request-purpose.ts";
import { createRpcPathReader } from "./rpc-path.ts";
import { createRpcProxy, type RpcProxy } from "./rpc-proxy.ts";
import { createSourceReader } from "./source-address.ts";

/** Starts the gateway. Rejects when a port or a setting will not do, after closing what was open. */
export async function startGateway(config: GatewayConfig): Promise<RunningProcess> {
  const logger = createLogger({ service: "gateway", level: config.LOG_LEVEL });
  const steps: ShutdownStep[] = [];
  let stopping: Promise<void> | undefined;
  const stop = () => {
    stopping ??= shutDown(steps, logger);
    return stopping;
  };
  try {
    const addresses = await open(config, logger, steps);
    return { name: "gateway", addresses, stop, [Symbol.asyncDispose]: stop };
  } catch (error) {
    await stop().catch(() => {});
    throw error;
  }
}

type Logger = ReturnType<typeof createLogger>;

/** Opens everything, and puts what closes it in front of `steps`. */
async function open(config: GatewayConfig, logger: Logger, steps: ShutdownStep[]): Promise<Record<string, string>> {
  const { HOST: host } = config;
  const telemetry = startTelemetry({ service: "gateway", config, followsCallers: false });
  steps.unshift({ name: "telemetry sent", run: () => telemetry.close() });
  const tls = MeshIdentity.open(config, logger);
  if (tls) steps.unshift({ name: "TLS closed", run: () => tls.close() });
  const mesh = connectMesh(config, telemetry, tls);
  steps.unshift({ name: "connections to services closed", run: () => mesh.close() });
  const exchange = createCredentialExchange({
    client: createClient(CredentialService, mesh.transports.identity),
    now: () => new Date(),
  });
  observeExchange(telemetry.meter, exchange);
  const events = await connectEventStream({ ...streamOf(config), name: "gateway", logger, meter: telemetry.meter });
  steps.unshift({ name: "event stream closed", run: () => events.close() });
  events.listen(eventSubject(CredentialChangedSchema), ({ data }) =>
    exchange.evict(decodeEvent(CredentialChangedSchema, data)),
  );

  const routes = new PredictionRoutes({
    client: createClient(DeploymentService, mesh.transports.deployments),
    now: () => performance.now(),
  });
  events.listen(eventSubject(DeploymentStatusChangedSchema), ({ data }) => {
    const { organisationId, deploymentId } = decodeEvent(DeploymentStatusChangedSchema, data);
    routes.forget(organisationId, deploymentId);
  });

  const reporter = createRefusalReporter(events, { logger, meter: telemetry.meter });
  steps.unshift({ name: "refusals recorded", run: () => reporter.close() });

  const draining = new AbortController();
  const observation = observeRequests({ ...telemetry, logger });
  const protection = protectFromOverload({ meter: telemetry.meter, logger, observation }, config);
  const { admission, guesses } = protection;
  steps.unshift({ name: "event loop no longer watched", run: () => protection.close() });
  const door = createDoor({
    exchange,
    guesses,
    sourceOf: createSourceReader(config.TRUSTED_PROXIES),
    countAnonymous: (source) => admission.countAnonymous(source),
    refusals: (refused) => reporter.report(refused),
    now: () => new Date(),
  });
  const tellBudget = rateLimitHeaders(config.REQUESTS_PER_SECOND);
  const entrance = { door, admission, tellBudget };
  const { predictions, rpcs } = createProxies(config, { ...entrance, mesh, routes, observation, tls });
  steps.unshift({ name: "connections to instances closed", run: () => predictions.close() });
  steps.unshift({ name: "connections for passed-on calls closed", run: () => rpcs.close() });
  const server = createEdge(config, {
    ...{ ...entrance, logger, mesh, exchange, protection, observation, predictions, rpcs },
    draining: draining.signal,
  });
  const { readiness, close } = readinessOf(config, { telemetry, tls, mesh, events });
  steps.unshift({ name: "services no longer watched", run: close });
  const { exposeMetrics } = telemetry;
  const admin = await startAdminServer({ host, port: config.ADMIN_PORT, readiness: () => readiness, exposeMetrics });
  steps.unshift({ name: "admin port closed", run: () => admin.close() });
  const http = await listen(server, { host, port: config.HTTP_PORT });
  steps.unshift(
    { name: "readiness withdrawn", run: () => readiness.enter("draining") },
    { name: "drain delay", run: () => delay(config.SHUTDOWN_DELAY_MS) },
    { name: "streams ended", run: () => draining.abort() },
    { name: "requests finished", run: () => stopEdgeServer(server, config.SHUTDOWN_GRACE_MS) },
  );
  readiness.enter("serving");
  return { http: `http://${host}:${http}`, admin: `http://${host}:${admin.port}` };
}

/** The services behind the gateway. */
function connectMesh(config: GatewayConfig, telemetry: Telemetry, tls: MeshIdentity | undefined) {
  const shared = { interceptors: [outgoingCallInterceptor(telemetry)], tls };
  const transports = {
    identity: createMeshTransport({ ...shared, addresses: config.IDENTITY_ADDRESS }),
    training: createMeshTransport({ ...shared, addresses: config.TRAINING_ADDRESS, pick: runKey }),
    content: createMeshTransport({ ...shared, addresses: config.CONTENT_ADDRESS }),
    deployments: createMeshTransport({ ...shared, addresses: config.DEPLOYMENTS_ADDRESS }),
  } satisfies Record<Owner, unknown>;
  const urls: Record<Owner, string> = {
    identity: config.IDENTITY_HTTP_URL,
    training: config.TRAINING_HTTP_URL,
    content: config.CONTENT_HTTP_URL,
    deployments: config.DEPLOYMENTS_HTTP_URL,
  };
  if (tls) assertSecure(config);
  return {
    transports,
    targets: [...servicesByOwner].map(([owner, services]) => ({ url: urls[owner], services })),
    peers: Object.fromEntries(
      Object.entries(transports).map(([owner, transport]) => [owner, serving(createClient(Health, transport))]),
    ),
    close: () => {
      for (const transport of Object.values(transports)) transport.close();
    },
  };
}

/** What passes requests on to others than the operations' owners. */
function createProxies(
  config: GatewayConfig,
  {
    routes,
    observation,
    mesh,
    tls,
    ...entrance
  }: Pick<Gate, "door" | "admission" | "tellBudget" | "observation"> & {
    routes: PredictionRoutes;
    mesh: ReturnType<typeof connectMesh>;
    tls: MeshIdentity | undefined;
  },
) {
  const predictions = createPredictionProxy({
    ...entrance,
    routes,
    random: Math.random,
    observe: (request, metadata) => observation.operation(request, { path: predictionRoute }, metadata),
  });
  const rpcs = createRpcProxy({
    ...entrance,
    tls,
    targets: mesh.targets,
    limits: { bodyBytes: config.BODY_LIMIT_BYTES, bodyTimeoutMs: config.REQUEST_TIMEOUT_MS },
    // As many as there are places, so that no call waits for a connection that others hold.
    connections: config.TOTAL_CONCURRENCY,
  });
  return { predictions, rpcs };
}

/** Plain HTTP would be refused by services that want certificates. @throws SettingsError */
function assertSecure(config: GatewayConfig): void {
  const names = ["IDENTITY_HTTP_URL", "TRAINING_HTTP_URL", "CONTENT_HTTP_URL", "DEPLOYMENTS_HTTP_URL"] as const;
  const plain = names.filter((name) => !config[name].startsWith("https:"));
  if (plain.length === 0) return;
  throw new SettingsError(plain.map((name) => `${name} must be an https URL, because TLS_CERT_FILE is set`));
}

/** Ready while it can route: a part that is away costs the operations of that part, and no others. */
function readinessOf(
  { CHECK_TIMEOUT_MS: timeoutMs }: GatewayConfig,
  { telemetry, tls, mesh, events }: GatewayParts,
): ReturnType<typeof openReadiness> {
  const checks = tls ? { tls_certificate: tls.check } : {};
  const dependencies = { ...mesh.peers, nats: () => events.ping() };
  return openReadiness({ meter: telemetry.meter, checks, dependencies, timeoutMs });
}

interface GatewayParts {
  telemetry: Telemetry;
  tls: MeshIdentity | undefined;
  mesh: ReturnType<typeof connectMesh>;
  events: EventStream;
}

/** Whether the service answers and is ready. */
function serving(health: Client<typeof Health>): Check {
  return async (signal) => {
    const { status } = await health.check({}, { signal });
    if (status !== HealthCheckResponse_ServingStatus.SERVING) throw new Error("is not serving");
  };
}

interface EdgeParts {
  logger: Logger;
  exchange: RememberingExchange;
  mesh: ReturnType<typeof connectMesh>;
  door: Door;
  admission: Admission;
  protection: OverloadProtection;
  observation: RequestObservation;
  predictions: PredictionProxy;
  rpcs: RpcProxy;
  tellBudget: Gate["tellBudget"];
  draining: AbortSignal;
}

/** Operations first, by one table; everything else is express's. */
function createEdge(config: GatewayConfig, parts: EdgeParts): Server {
  const { logger, mesh, door, admission, observation, tellBudget, draining } = parts;
  const transcoder = createTranscoder({
    services: [...servicesByOwner.values()].flat(),
    call: callerFromTransport((service) => mesh.transports[ownerOf(service)]),
    prepare: (operation, request, requestId, response) =>
      admitCaller({ door, admission, observation, draining, tellBudget }, { operation, request, requestId, response }),
    limits: { bodyBytes: config.BODY_LIMIT_BYTES, bodyTimeoutMs: config.REQUEST_TIMEOUT_MS },
    // The specification has its own operations echo what was sent, to the letter.
    redacts: ({ route }) => route.tag === "extension",
    onFailure: (error, { method }, requestId) =>
      logger.error({ err: error, rpc: method.name, request_id: requestId }, "a call failed"),
  });
  const pages = createPages({ openApi: openApiDocument(), logger });
  const notebooks = createNotebooks(config, parts);
  const crossOrigin = createCrossOrigin(config.CORS_ALLOWED_ORIGINS, transcoder.operations);
  const limits = {
    headersTimeoutMs: config.HEADERS_TIMEOUT_MS,
    requestTimeoutMs: config.REQUEST_TIMEOUT_MS,
    answerTimeoutMs: config.ANSWER_TIMEOUT_MS,
    minAnswerBytesPerSecond: config.MIN_ANSWER_BYTES_PER_SECOND,
  };
  const early = createEarlyRefusal({
    foresight: parts.protection.foresight,
    known: (credential) => parts.exchange.known(credential),
    purposeOf: createPurposeReader({ ...transcoder, rpcOf: createRpcPathReader([...servicesByOwner.values()].flat()) }),
    tellBudget,
    refused: parts.protection.refused,
  });
  const answer = (request: IncomingMessage, response: ServerResponse) => {
    const isNotebook = isNotebookPath(request.url ?? "");
    if (isNotebook) readJupyterCredential(request);
    if (transcoder.handle(request, response) || parts.predictions.handle(request, response)) return;
    if (parts.rpcs.handle(request, response)) return;
    if (isNotebook) crossOrigin.withdraw(response);
    if (notebooks?.handle(request, response)) return;
    pages(request, response);
  };
  const observed = (request: IncomingMessage, response: ServerResponse) => {
    crossOrigin.tell(request, response);
    if (parts.protection.guard.refuse(request, response) || early.refuse(request, response)) return;
    observation.begin(request, response, () => answer(request, response));
  };
  return createEdgeServer(observed, notebooks && observation.upgrades(notebooks), limits);
}

/** What is below /notebooks/ and no operation; undefined where no hub is configured. */
function createNotebooks(
  { JUPYTERHUB_URL: hubUrl }: GatewayConfig,
  { mesh, observation, ...parts }: EdgeParts,
): NotebookProxy | undefined {
  if (hubUrl === undefined) return undefined;
  const client = createClient(NotebookSessionService, mesh.transports.identity);
  const passes = new NotebookPasses({ client, exchange: parts.exchange, now: () => new Date() });
  const observe = (request: IncomingMessage) => observation.operation(request, { path: "/notebooks/*" });
  return createNotebookProxy({ ...parts, hubUrl, passes, observe });
}

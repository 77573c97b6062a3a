import type { IncomingMessage, ServerResponse } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import {
  createCredentialExchange,
  type RememberingExchange,
  ServiceAssertions,
  SessionCookie,
} from "@aiplatform/caller-identity";
import { DeploymentService } from "@aiplatform/contract/aiplatform/deployments/v1/deployments";
import { DeploymentStatusChangedSchema } from "@aiplatform/contract/aiplatform/events/v1/deployments";
import { CredentialChangedSchema } from "@aiplatform/contract/aiplatform/events/v1/identity";
import { CredentialService } from "@aiplatform/contract/aiplatform/identity/v1/credentials";
import { NotebookSessionService } from "@aiplatform/contract/aiplatform/identity/v1/notebook_sessions";
import {
  connectEventStream,
  createRefusalReporter,
  decodeEvent,
  type EventStream,
  eventSubject,
  type RefusalReporter,
  streamOf,
} from "@aiplatform/event-stream";
import {
  createLogger,
  listen,
  MeshIdentity,
  observeExchange,
  openReadiness,
  openServiceKeys,
  type RunningProcess,
  SettingsError,
  type ShutdownStep,
  shutDown,
  startAdminServer,
  startTelemetry,
  type Telemetry,
  type WatchedCertificate,
} from "@aiplatform/service-host";
import { callerFromTransport, createTranscoder, type Transcoder } from "@aiplatform/transcoder";
import { Code, ConnectError, createClient } from "@connectrpc/connect";
import { type Admission, type AdmissionLimits, createAdmission } from "./admission/admission.ts";
import type { Upgrades } from "./admission/admission-control.ts";
import { defaultCallLimits } from "./admission/call-limit.ts";
import type { GatewayConfig } from "./config.ts";
import { apiDescription, openApiDocument } from "./docs/api-description.ts";
import { createPages } from "./docs/pages.ts";
import { createCors } from "./edge/cors.ts";
import { observeRequests, type RequestObservation } from "./edge/request-observation.ts";
import { createEdgeServer, type EdgeServer, stopEdgeServer } from "./edge/server.ts";
import { createSourceReader } from "./edge/source-address.ts";
import { openEdgeCertificate } from "./edge/tls.ts";
import { NotebookPasses } from "./notebooks/passes.ts";
import { isNotebookPath } from "./notebooks/path.ts";
import { createNotebookProxy, type NotebookProxy } from "./notebooks/proxy.ts";
import { readJupyterCredential } from "./notebooks/proxy-request.ts";
import { openInstanceTrust } from "./predictions/instance-trust.ts";
import { createPredictionProxy, type PredictionProxy } from "./predictions/proxy.ts";
import { PredictionRoutes } from "./predictions/routes.ts";
import { createRestEntryPoint } from "./rest/entry-point.ts";
import { writeRpcError } from "./rpc/error.ts";
import { isGrpc } from "./rpc/grpc.ts";
import { createRpcProxy, type RpcProxy } from "./rpc/proxy.ts";
import { refusalAnswer } from "./rpc/refusal-answer.ts";
import { connectUpstreams, type Upstreams } from "./upstreams/connect-upstreams.ts";
import { publicServices, type Upstream, upstreamOf, upstreams } from "./upstreams/upstreams.ts";

/** Starts the gateway. Rejects when a port is taken or a setting is invalid, after closing what was open. */
export async function startGateway(config: GatewayConfig): Promise<RunningProcess> {
  const logger = createLogger({ service: "gateway", level: config.LOG_LEVEL });
  // Closes what is open when the start fails. A gateway that has started is closed by its shutdown.
  const opened = new AsyncDisposableStack();
  try {
    const { addresses, shutdown } = await open(config, logger, opened);
    let stopping: Promise<void> | undefined;
    const stop = () => {
      stopping ??= shutDown(shutdown, logger);
      return stopping;
    };
    return { name: "gateway", addresses, stop, [Symbol.asyncDispose]: stop };
  } catch (error) {
    await opened.disposeAsync().catch((err: unknown) => logger.error({ err }, "closing after a failed start failed"));
    throw error;
  }
}

type Logger = ReturnType<typeof createLogger>;

/** What the parts of the gateway share. */
interface Shared {
  readonly logger: Logger;
  readonly telemetry: Telemetry;
  readonly keys: ReturnType<typeof openServiceKeys>;
  readonly tls: MeshIdentity | undefined;
  /** What clients see at the HTTP port; undefined where that is without TLS. */
  readonly certificate: WatchedCertificate | undefined;
  readonly upstreams: Upstreams;
  readonly assertions: ServiceAssertions;
  readonly exchange: RememberingExchange;
  readonly events: EventStream;
  readonly routes: PredictionRoutes;
  readonly observation: RequestObservation;
  readonly sourceOf: ReturnType<typeof createSourceReader>;
  /** In which browsers keep their session; undefined where there are no sessions. */
  readonly sessionCookie: SessionCookie | undefined;
  /** Aborts when the gateway drains: streams and websockets end then. */
  readonly draining: AbortSignal;
}

interface Opened {
  readonly addresses: Record<string, string>;
  /** In the order in which it happens. */
  readonly shutdown: readonly ShutdownStep[];
}

async function open(config: GatewayConfig, logger: Logger, opened: AsyncDisposableStack): Promise<Opened> {
  const { HOST: host } = config;
  const draining = new AbortController();
  const shared = await openShared(config, { logger, draining: draining.signal }, opened);
  const { telemetry, keys, tls, certificate, upstreams, events } = shared;
  const { server, refusals, admission, predictions, rpcs } = serveRequests(config, shared, opened);
  const { readiness, ...watch } = readinessOf(config, shared);
  opened.defer(() => watch.close());
  const { exposeMetrics } = telemetry;
  const admin = await startAdminServer({ host, port: config.ADMIN_PORT, readiness: () => readiness, exposeMetrics });
  opened.defer(() => admin.close());
  const http = await listen(server, { host, port: config.HTTP_PORT });

  const watchedCertificate = "certificate for clients no longer watched";
  const shutdown: ShutdownStep[] = [
    { name: "readiness withdrawn", run: () => readiness.enter("draining") },
    { name: "drain delay", run: () => delay(config.SHUTDOWN_DELAY_MS) },
    { name: "streams ended", run: () => draining.abort() },
    { name: "requests finished", run: () => stopEdgeServer(server, config.SHUTDOWN_GRACE_MS) },
    { name: "admin port closed", run: () => admin.close() },
    { name: "services no longer watched", run: () => watch.close() },
    { name: "connections for passed-on calls closed", run: () => rpcs.close() },
    { name: "connections to instances closed", run: () => predictions.close() },
    { name: "event loop no longer watched", run: () => admission.close() },
    { name: "refusals recorded", run: () => refusals.close() },
    { name: "event stream closed", run: () => events.close() },
    { name: "connections to services closed", run: () => upstreams.close() },
    ...(certificate ? [{ name: watchedCertificate, run: () => certificate.close() }] : []),
    ...(tls ? [{ name: "TLS closed", run: () => tls.close() }] : []),
    { name: "service keys closed", run: () => keys[Symbol.dispose]() },
    { name: "telemetry sent", run: () => telemetry.close() },
  ];
  readiness.enter("serving");
  const scheme = certificate ? "https" : "http";
  return { addresses: { http: `${scheme}://${host}:${http}`, admin: `http://${host}:${admin.port}` }, shutdown };
}

async function openShared(
  config: GatewayConfig,
  { logger, draining }: Pick<Shared, "logger" | "draining">,
  opened: AsyncDisposableStack,
): Promise<Shared> {
  const telemetry = startTelemetry({ service: "gateway", config, followsCallers: false });
  opened.defer(() => telemetry.close());
  const keys = opened.use(openServiceKeys(config, { service: "gateway", logger }));
  const tls = MeshIdentity.open(config, logger);
  opened.defer(() => tls?.close());
  const certificate = openEdgeCertificate(config, logger);
  opened.defer(() => certificate?.close());
  const assertions = new ServiceAssertions(keys, () => new Date());
  const upstreams = opened.adopt(connectTo(config, { telemetry, tls, assertions }), (one) => one.close());
  const exchange = createCredentialExchange({
    client: createClient(CredentialService, upstreams.transports.identity),
    now: () => new Date(),
  });
  const { meter } = telemetry;
  observeExchange(meter, exchange);
  const events = opened.use(await connectEventStream({ ...streamOf(config), keys, name: "gateway", logger, meter }));
  events.listen(eventSubject(CredentialChangedSchema), ({ data }) =>
    exchange.evict(decodeEvent(CredentialChangedSchema, data)),
  );
  const routes = new PredictionRoutes({
    client: createClient(DeploymentService, upstreams.transports.deployments),
    now: () => performance.now(),
  });
  events.listen(eventSubject(DeploymentStatusChangedSchema), ({ data }) => {
    const { organisationId, deploymentId } = decodeEvent(DeploymentStatusChangedSchema, data);
    routes.forget(organisationId, deploymentId);
  });
  const observation = observeRequests({ ...telemetry, logger });
  const sourceOf = createSourceReader(config.TRUSTED_PROXIES);
  const sessionCookie = SessionCookie.at(config.PUBLIC_URL);
  const mesh = { tls, assertions, upstreams, exchange, events };
  return { logger, telemetry, keys, certificate, ...mesh, routes, observation, sourceOf, sessionCookie, draining };
}

function connectTo(config: GatewayConfig, shared: Pick<Shared, "telemetry" | "tls" | "assertions">): Upstreams {
  if (shared.tls) assertSecure(config);
  return connectUpstreams({
    addresses: {
      identity: config.IDENTITY_ADDRESS,
      training: config.TRAINING_ADDRESS,
      content: config.CONTENT_ADDRESS,
      deployments: config.DEPLOYMENTS_ADDRESS,
      data: config.DATA_ADDRESS,
    },
    urls: {
      identity: config.IDENTITY_HTTP_URL,
      training: config.TRAINING_HTTP_URL,
      content: config.CONTENT_HTTP_URL,
      deployments: config.DEPLOYMENTS_HTTP_URL,
      data: config.DATA_HTTP_URL,
    },
    ...shared,
  });
}

/** Plain HTTP would be refused by services that want certificates. @throws SettingsError */
function assertSecure(config: GatewayConfig): void {
  const plain = upstreams.flatMap((upstream) => {
    const name = `${upstream.toUpperCase() as Uppercase<Upstream>}_HTTP_URL` as const;
    return config[name]?.startsWith("http:") ? [name] : [];
  });
  if (plain.length === 0) return;
  throw new SettingsError(plain.map((name) => `${name} must be an https URL, because TLS_CERT_FILE is set`));
}

/** Ready while it can route: a part that is away costs the operations of that part, and no others. */
function readinessOf(
  { CHECK_TIMEOUT_MS: timeoutMs }: GatewayConfig,
  { telemetry, tls, certificate, upstreams, events }: Shared,
): ReturnType<typeof openReadiness> {
  const checks = {
    ...(tls ? { tls_certificate: tls.check } : {}),
    ...(certificate ? { http_tls_certificate: certificate.check } : {}),
  };
  const dependencies = { ...upstreams.checks, nats: () => events.ping() };
  return openReadiness({ meter: telemetry.meter, checks, dependencies, timeoutMs });
}

/** What answers requests: the server, and what is behind it. */
interface Served {
  readonly server: EdgeServer;
  readonly refusals: RefusalReporter;
  readonly admission: Admission;
  readonly predictions: PredictionProxy;
  readonly rpcs: RpcProxy;
}

/** The entry points, each behind admission, and pages for the rest. */
function serveRequests(config: GatewayConfig, shared: Shared, opened: AsyncDisposableStack): Served {
  const { logger, telemetry, upstreams, exchange, events, observation, sourceOf, sessionCookie } = shared;
  const refusals = opened.use(createRefusalReporter(events, { logger, meter: telemetry.meter }));
  const admission = createAdmission({
    ...{ exchange, sourceOf, sessionCookie, observation, logger, refusalAnswer },
    meter: telemetry.meter,
    refusals: (refused) => refusals.report(refused),
    limits: admissionLimits(config),
  });
  opened.defer(() => admission.close());
  const { control } = admission;
  const predictions = opened.adopt(createPredictions(config, shared, control), (one) => one.close());
  const rpcs = createRpcProxy(control, {
    ...{ tls: shared.tls, assertions: shared.assertions, sourceOf, targets: upstreams.targets },
    limits: bodyLimits(config),
    // As many as there may be permits, shares beyond a total included, so that no call waits for a connection that others hold.
    maxConnectionsPerService: 2 * (config.TOTAL_CONCURRENCY + config.TOTAL_STREAMS),
  });
  opened.defer(() => rpcs.close());
  return {
    server: createServer(config, shared, { admission, predictions, rpcs }),
    refusals,
    admission,
    predictions,
    rpcs,
  };
}

function createServer(
  config: GatewayConfig,
  shared: Shared,
  { admission, predictions, rpcs }: Pick<Served, "admission" | "predictions" | "rpcs">,
): EdgeServer {
  const { logger, observation } = shared;
  const transcoder = createOperations(config, shared);
  const rest = createRestEntryPoint(admission.control, { ...shared, transcoder });
  const notebooks = createNotebooks(config, shared, admission);
  const upgrades: Upgrades | undefined = notebooks?.upgrades;
  const entryPoints = [rest, predictions.entryPoint, rpcs.entryPoint];
  const refuseEarly = admission.earlyRefusal(entryPoints);
  const { CONSOLE_PATH: path, CONSOLE_DIRECTORY: current, CONSOLE_PREVIOUS_DIRECTORY: previous } = config;
  const pages = createPages({ openApi: openApiDocument, console: { path, current, previous }, logger });
  const cors = createCors(config.CORS_ALLOWED_ORIGINS, transcoder.operations);
  const answer = (request: IncomingMessage, response: ServerResponse) => {
    const isNotebook = isNotebookPath(request.url ?? "");
    if (isNotebook) readJupyterCredential(request);
    for (const entryPoint of entryPoints) if (entryPoint.handle(request, response)) return;
    if (isNotebook) cors.removeHeaders(response);
    if (notebooks?.entryPoint.handle(request, response)) return;
    if (isGrpc(request)) return writeRpcError(request, response, new ConnectError("no such RPC", Code.Unimplemented));
    pages(request, response);
  };
  const arrive = (request: IncomingMessage, response: ServerResponse) => {
    cors.writeHeaders(request, response);
    if (refuseEarly(request, response)) return;
    observation.begin(request, response, () => answer(request, response));
  };
  return createEdgeServer(arrive, {
    upgrades,
    takesStream: rpcs.takesStream,
    passesOnBody: (request) => transcoder.match(request)?.operation?.takesStream === true,
    certificate: shared.certificate,
    limits: {
      headersTimeoutMs: config.HEADERS_TIMEOUT_MS,
      requestTimeoutMs: config.REQUEST_TIMEOUT_MS,
      responseTimeoutMs: config.ANSWER_TIMEOUT_MS,
      minResponseBytesPerSecond: config.MIN_ANSWER_BYTES_PER_SECOND,
      connectionAgeMs: config.CONNECTION_AGE_MS,
    },
  });
}

function createPredictions(
  config: GatewayConfig,
  { routes, observation, logger }: Shared,
  control: Admission["control"],
): PredictionProxy {
  const trust = openInstanceTrust(config);
  return createPredictionProxy(control, { routes, observation, random: Math.random, trust, logger });
}

function createOperations(config: GatewayConfig, { upstreams, logger }: Shared): Transcoder {
  return createTranscoder({
    services: publicServices,
    call: callerFromTransport((service) => upstreams.transports[upstreamOf(service)]),
    limits: bodyLimits(config),
    describe: apiDescription,
    onFailure: (error, { method }, requestId) =>
      logger.error({ err: error, rpc: method.name, request_id: requestId }, "a call failed"),
  });
}

/** What is below /notebooks/ and no operation; undefined where no hub is configured. */
function createNotebooks(
  { JUPYTERHUB_URL: hubUrl }: GatewayConfig,
  { upstreams, exchange, observation, draining }: Shared,
  { control, authenticator }: Admission,
): NotebookProxy | undefined {
  if (hubUrl === undefined) return undefined;
  const client = createClient(NotebookSessionService, upstreams.transports.identity);
  const passes = new NotebookPasses({ client, exchange, now: () => new Date() });
  return createNotebookProxy(control, { hubUrl, passes, authenticator, exchange, draining, observation });
}

function bodyLimits({ BODY_LIMIT_BYTES: bodyBytes, REQUEST_TIMEOUT_MS: bodyTimeoutMs }: GatewayConfig) {
  return { bodyBytes, bodyTimeoutMs };
}

function admissionLimits(config: GatewayConfig): AdmissionLimits {
  return {
    requestsPerSecond: config.REQUESTS_PER_SECOND,
    organisationConcurrency: config.ORGANISATION_CONCURRENCY,
    totalConcurrency: config.TOTAL_CONCURRENCY,
    organisationStreams: config.ORGANISATION_STREAMS,
    totalStreams: config.TOTAL_STREAMS,
    anonymousPerMinute: config.ANONYMOUS_REQUESTS_PER_MINUTE,
    anonymousConcurrency: config.ANONYMOUS_CONCURRENCY,
    calls: { ...defaultCallLimits, slackMs: config.CALL_SLACK_MS },
    shedDelayMs: config.SHED_DELAY_MS,
    failedCredentialsPerMinute: config.FAILED_CREDENTIALS_PER_MINUTE,
  };
}

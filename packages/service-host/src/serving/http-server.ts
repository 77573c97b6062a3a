import { once } from "node:events";
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { Socket } from "node:net";
import { refusal, withReason } from "@aiplatform/caller-identity";
import { createRegistry, type DescFile, type DescMethod, type DescService } from "@bufbuild/protobuf";
import {
  Code,
  ConnectError,
  type ContextValues,
  createConnectRouter,
  createContextValues,
  type Interceptor,
} from "@connectrpc/connect";
import type { UniversalHandler } from "@connectrpc/connect/protocol";
import { errorToJson, parseTimeout as parseConnectTimeout } from "@connectrpc/connect/protocol-connect";
import { parseTimeout as parseGrpcTimeout, setTrailerStatus } from "@connectrpc/connect/protocol-grpc";
import {
  compressionBrotli,
  compressionGzip,
  universalRequestFromNodeRequest,
  universalResponseToNodeResponse,
} from "@connectrpc/connect-node";
import { proofHeader } from "../alternative-service.ts";
import { maxHeaderBytes } from "../call-headers.ts";
import { deadlineKey, peerKey } from "../current-call.ts";
import { timeoutOf } from "../interceptors/deadline.ts";
import type { Logger } from "../logger.ts";
import { OpenCalls } from "../open-calls.ts";
import type { MeshIdentity } from "../tls/mesh-identity.ts";
import { logRefusedHandshakes } from "../tls/refused-handshakes.ts";
import { boundArrival, readOn } from "./arrival.ts";
import { listen } from "./listen.ts";
import type { RecordedRoutes } from "./recorded-routes.ts";
import { UnaryCalls } from "./unary-calls.ts";

/** In which the headers of a request must arrive. */
const headersTimeoutMs = 10_000;
/** How long a server that stops leaves idle connections to its clients to close. */
const abandonMs = 500;
/** How long a connection is kept without a request: far longer than a service keeps one, so that none closes under a call. */
const idleMs = 15_000;
const limits = {
  keepAliveTimeout: idleMs,
  maxHeaderSize: maxHeaderBytes,
  headersTimeout: headersTimeoutMs,
  // By the kind of the RPC instead.
  requestTimeout: 0,
  connectionsCheckingInterval: 5_000,
};

export interface HttpServer {
  readonly port: number;
  /** Refuses new calls, lets those under way finish for up to `graceMs`, cuts the rest. */
  stop(graceMs: number): Promise<void>;
}

interface HttpOptions {
  readonly host: string;
  readonly port: number;
  readonly services: readonly DescService[];
  readonly routes: RecordedRoutes;
  readonly interceptors: Interceptor[];
  /** Shows those that call over gRPC that the port which was named to them is this one. */
  readonly proof: () => string;
  /** Whether what is refused before any interceptor gets an ErrorInfo that names its code. */
  readonly addsReasons: boolean;
  readonly callTimeoutMs: number;
  readonly maxMessageBytes: number;
  readonly logger: Logger;
  readonly tls?: MeshIdentity | undefined;
}

/** Serves the same implementations over HTTP/1.1: Connect, gRPC-Web and JSON. No CORS: browsers go to the gateway. */
export async function startHttpServer(o: HttpOptions): Promise<HttpServer> {
  const ending = new AbortController();
  const stopping = new AbortController();
  const handlers = universalHandlers(o, ending.signal);
  const calls = new OpenCalls({ callTimeoutMs: o.callTimeoutMs, shutdownSignal: ending.signal });
  const unary = new UnaryCalls({ ...o, services: o.routes.services, calls });
  const server = createFittingServer(o, (request, response) => {
    // A client that keeps its connection would otherwise be answered by a closed one next time.
    if (stopping.signal.aborted) response.setHeader("connection", "close");
    response.once("close", () => {
      if (!server.listening) server.closeIdleConnections();
    });
    if (unary.serve(request, response)) return;
    if (request.method === "OPTIONS" && request.url === "/") {
      response.writeHead(204, { [proofHeader]: o.proof() }).end();
      return;
    }
    const handler = handlers.get(pathOf(request));
    if (handler) void answer(handler, { request, response, ...o });
    else {
      response.once("finish", () => readOn(request));
      notFound(request, response, o);
    }
  });
  const connections = openConnections(server);
  const port = await listen(server, o);
  return {
    port,
    stop: (graceMs) => {
      stopping.abort();
      return stop(server, { connections, ending, graceMs });
    },
  };
}

/** With certificates on both sides where there is an identity. */
function createFittingServer({ tls, logger }: HttpOptions, listener: RequestListener): Server {
  if (!tls) return createServer(limits, listener);
  const server = createTlsServer({ ...tls.options, ...limits, requestCert: true, rejectUnauthorized: true }, listener);
  tls.onRenewal((options) => server.setSecureContext(options));
  logRefusedHandshakes(server, { logger, port: "http" });
  return server;
}

function pathOf({ url = "" }: IncomingMessage): string {
  return url.split("?", 1)[0] ?? "";
}

interface Timeout {
  readonly header: "grpc-timeout" | "connect-timeout-ms";
  readonly requestedMs: number | undefined;
}

function timeoutFrom({ headers }: IncomingMessage): Timeout {
  const grpcWeb = headers["content-type"]?.startsWith("application/grpc-web") ?? false;
  const header = grpcWeb ? "grpc-timeout" : "connect-timeout-ms";
  const text = headers[header];
  const parse = grpcWeb ? parseGrpcTimeout : parseConnectTimeout;
  const requestedMs = typeof text === "string" ? parse(text, Number.MAX_SAFE_INTEGER).timeoutMs : undefined;
  return { header, requestedMs };
}

/** Connect's adapter knows no default deadline, so a call without one is given ours before the adapter sees it. */
function capTimeout(request: IncomingMessage, { methodKind }: DescMethod, capMs: number): void {
  const { header, requestedMs } = timeoutFrom(request);
  // What cannot be read stays as it is: the adapter refuses it in the caller's protocol.
  if (request.headers[header] !== undefined && requestedMs === undefined) return;
  const timeoutMs = timeoutOf(methodKind, requestedMs, capMs);
  if (timeoutMs === undefined) return;
  request.headers[header] = header === "grpc-timeout" ? `${Math.floor(timeoutMs)}m` : String(Math.floor(timeoutMs));
}

function valuesOf(request: IncomingMessage): ContextValues {
  const values = createContextValues().set(peerKey, () => request.socket.remoteAddress);
  const { requestedMs } = timeoutFrom(request);
  return requestedMs === undefined ? values : values.set(deadlineKey, Date.now() + requestedMs);
}

function notFound(
  { headers }: IncomingMessage,
  response: ServerResponse,
  { addsReasons }: Pick<HttpOptions, "addsReasons">,
): void {
  const unknown = new ConnectError("no such RPC", Code.Unimplemented);
  const error = addsReasons ? withReason(unknown) : unknown;
  const type = headers["content-type"] ?? "";
  if (type.startsWith("application/grpc")) {
    // Without a message, its head is all of an answer.
    const status = Object.fromEntries(setTrailerStatus(new Headers(), error));
    return void response.writeHead(200, { ...status, "content-type": type, "content-length": 0 }).end();
  }
  response.writeHead(404, { "content-type": "application/json" });
  response.end(JSON.stringify(errorToJson(error, undefined)));
}

/** What Connect's own adapter is made of; put together here because that one reports to the console. */
function universalHandlers(
  o: Pick<HttpOptions, "services" | "routes" | "interceptors" | "maxMessageBytes">,
  shutdownSignal: AbortSignal,
): ReadonlyMap<string, UniversalHandler> {
  const router = createConnectRouter({
    interceptors: o.interceptors,
    // JSON of `google.protobuf.Any` names types that the reader and the writer have to know.
    jsonOptions: { registry: createRegistry(...filesOf(o.services)) },
    grpc: false,
    readMaxBytes: o.maxMessageBytes,
    acceptCompression: [compressionGzip, compressionBrotli],
    shutdownSignal,
  });
  o.routes.replay(router);
  return new Map(router.handlers.map((handler) => [handler.requestPath, handler]));
}

function filesOf(services: readonly DescService[]): ReadonlySet<DescFile> {
  const files = new Set<DescFile>();
  const add = (file: DescFile) => {
    if (files.has(file)) return;
    files.add(file);
    for (const dependency of file.dependencies) add(dependency);
  };
  for (const { file } of services) add(file);
  return files;
}

async function answer(
  handler: UniversalHandler,
  o: { request: IncomingMessage; response: ServerResponse } & Pick<HttpOptions, "logger" | "callTimeoutMs">,
): Promise<void> {
  const { request, response } = o;
  capTimeout(request, handler.method, o.callTimeoutMs);
  boundArrival(request, response, handler.method);
  try {
    const read = universalRequestFromNodeRequest(request, response, undefined, valuesOf(request));
    // A handler that fails before it has read everything must not take the connection, and its answer, with it.
    // Node reads and writes at once over HTTP/1.1, too; whether a client does, the gateway knows.
    const httpVersion = handler.method.methodKind === "bidi_streaming" ? "2.0" : read.httpVersion;
    const universal = { ...read, httpVersion, body: request.iterator({ destroyOnReturn: false }) };
    response.once("finish", () => readOn(request));
    await universalResponseToNodeResponse(await handler(universal), response);
  } catch (err) {
    // The call itself was answered and logged by the interceptors: what fails here is the way back to the client.
    o.logger.debug({ err, rpc: handler.requestPath }, "the client left before its answer");
    response.destroy();
  }
}

/** The connections of a server, while they are open. */
function openConnections(server: Server): ReadonlySet<Socket> {
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  return sockets;
}

interface Stopping {
  readonly connections: ReadonlySet<Socket>;
  /** Ends the calls that are under way. */
  readonly ending: AbortController;
  readonly graceMs: number;
}

async function stop(server: Server, { connections, ending, graceMs }: Stopping): Promise<void> {
  const grace = setTimeout(() => {
    ending.abort(refusal("SHUTTING_DOWN"));
    setTimeout(() => server.closeAllConnections(), 1_000).unref();
  }, graceMs);
  await abandoned(connections);
  // Closes those that are idle as well.
  await new Promise<void>((resolve) => server.close(() => resolve()));
  clearTimeout(grace);
}

/**
 * Waits for clients to close their connections, for a moment. Over HTTP/1.1 only they can do it without the loss of a request
 * that is on its way: services do it as soon as they hear on their gRPC connections that this one stops.
 */
async function abandoned(connections: ReadonlySet<Socket>): Promise<void> {
  const over = AbortSignal.timeout(abandonMs);
  const closed = [...connections].map((socket) => once(socket, "close", { signal: over }));
  await Promise.allSettled(closed);
}

import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { createServer as createTlsServer, type Server as TlsServer } from "node:https";
import type { WatchedCertificate } from "@aiplatform/service-host/watched-certificate";
import { failures, PredictionError, toPredictionError } from "../errors.ts";
import type { Instance } from "../instance.ts";
import type { PredictionMetrics } from "../metrics.ts";
import { headerLengthHeader, readInference, writeInference } from "./http-messages.ts";
import { readBody } from "./read-body.ts";

export interface HttpParts {
  readonly instance: Instance;
  readonly metrics: PredictionMetrics;
  /** @throws PredictionError unauthenticated */
  readonly assertToken: (authorization: string | undefined) => void;
  readonly maxBodyBytes: number;
  /** Absent: without TLS. */
  readonly certificate?: WatchedCertificate | undefined;
}

interface HttpExchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** What the path names. */
  readonly names: Readonly<Record<string, string | undefined>>;
}

interface Route {
  readonly method: "GET" | "POST";
  readonly path: RegExp;
  /** Health and metrics are for those who watch over the instance. */
  readonly isOpen?: true;
  readonly answer: (parts: HttpParts, exchange: HttpExchange) => void | Promise<void>;
}

const serverMetadata = { name: "aiplatform-serving-runtime", version: "1", extensions: ["binary_tensor_data"] };

/** Every path that an instance answers. */
const routes: readonly Route[] = [
  { method: "POST", path: /^\/v2\/models\/(?<name>[^/]+)(?:\/versions\/(?<version>[^/]+))?\/infer$/, answer: infer },
  {
    method: "GET",
    path: /^\/v2\/health\/live$/,
    isOpen: true,
    answer: (_, exchange) => send(exchange, 200, { live: true }),
  },
  { method: "GET", path: /^\/v2\/health\/ready$/, isOpen: true, answer: ready },
  {
    method: "GET",
    path: /^\/metrics$/,
    isOpen: true,
    answer: ({ metrics }, o) => metrics.expose(o.request, o.response),
  },
  { method: "GET", path: /^\/state$/, answer: ({ instance }, exchange) => send(exchange, 200, instance.report) },
  { method: "GET", path: /^\/v2\/?$/, answer: (_, exchange) => send(exchange, 200, serverMetadata) },
  {
    method: "GET",
    path: /^\/v2\/models\/(?<name>[^/]+)(?:\/versions\/(?<version>[^/]+))?\/ready$/,
    answer: modelReady,
  },
  { method: "GET", path: /^\/v2\/models\/(?<name>[^/]+)(?:\/versions\/(?<version>[^/]+))?$/, answer: modelMetadata },
];

const handshakeTimeoutMs = 10_000;
const headersTimeoutMs = 10_000;
const requestTimeoutMs = 120_000;
/** Longer than clients keep a connection, so that it is never closed during a request. */
const keepAliveTimeoutMs = 75_000;

/** The protocol over HTTP, or over HTTPS alone where there is a certificate. */
export function createHttpServer(parts: HttpParts): Server | TlsServer {
  const { certificate } = parts;
  const options = {
    headersTimeout: headersTimeoutMs,
    requestTimeout: requestTimeoutMs,
    keepAliveTimeout: keepAliveTimeoutMs,
    connectionsCheckingInterval: 1_000,
    noDelay: true,
  };
  const answer = (request: IncomingMessage, response: ServerResponse) => void serve(parts, request, response);
  if (!certificate) return createServer(options, answer);
  const secure = { ...options, ...certificate.options, handshakeTimeout: handshakeTimeoutMs };
  const server = createTlsServer(secure, answer);
  certificate.onRenewal((renewed) => server.setSecureContext(renewed));
  return server;
}

async function serve(parts: HttpParts, request: IncomingMessage, response: ServerResponse): Promise<void> {
  try {
    const [path = ""] = (request.url ?? "").split("?", 1);
    const found = routes.filter((route) => route.path.test(path));
    const route = found.find(({ method }) => method === request.method);
    if (!route?.isOpen) parts.assertToken(request.headers.authorization);
    if (!route) throw new PredictionError(found.length > 0 ? "wrong_method" : "unknown_path", "There is nothing here");
    await route.answer(parts, { request, response, names: route.path.exec(path)?.groups ?? {} });
  } catch (error) {
    fail(request, response, toPredictionError(error));
  }
}

function fail(request: IncomingMessage, response: ServerResponse, { kind, message }: PredictionError): void {
  if (response.headersSent || response.destroyed) return void response.destroy();
  const { status, retry } = failures[kind];
  if (retry) response.setHeader("retry-after", "1");
  if (kind === "unauthenticated") response.setHeader("www-authenticate", "Bearer");
  // The unread rest of a body would be taken for the next request.
  if (!request.complete) response.setHeader("connection", "close");
  send({ response }, status, { error: message });
}

function send({ response }: Pick<HttpExchange, "response">, status: number, body: object): void {
  const text = Buffer.from(JSON.stringify(body));
  response.writeHead(status, { "content-type": "application/json", "content-length": text.length }).end(text);
}

function ready({ instance }: HttpParts, exchange: HttpExchange): void {
  send(exchange, instance.isReady ? 200 : 503, { ready: instance.isReady });
}

function modelReady({ instance }: HttpParts, exchange: HttpExchange): void {
  const { name, version } = namesOf(exchange);
  instance.assertServes(name, version);
  send(exchange, instance.isReady ? 200 : 503, { name, ready: instance.isReady });
}

function modelMetadata({ instance }: HttpParts, exchange: HttpExchange): void {
  const { name, version } = namesOf(exchange);
  instance.assertServes(name, version);
  send(exchange, 200, { name, versions: [instance.manifest.version], ...instance.engine.metadata });
}

async function infer({ instance, maxBodyBytes }: HttpParts, exchange: HttpExchange): Promise<void> {
  const { request, response } = exchange;
  const { name, version } = namesOf(exchange);
  instance.assertServes(name, version);
  const gone = new AbortController();
  response.once("close", () => gone.abort());
  const body = await readBody(request, maxBodyBytes);
  const headerLength = request.headers[headerLengthHeader];
  const inference = readInference(body, typeof headerLength === "string" ? headerLength : undefined);
  const answer = await instance.predict(inference.request, gone.signal);
  const { id } = inference.request;
  const served = { model_name: name, model_version: instance.manifest.version, ...(id !== undefined && { id }) };
  const written = writeInference(answer, { model: served, isBinary: inference.isBinary });
  const isBinary = written.jsonBytes !== undefined;
  response
    .writeHead(200, {
      "content-type": isBinary ? "application/octet-stream" : "application/json",
      "content-length": written.body.length,
      ...(isBinary && { [headerLengthHeader]: String(written.jsonBytes) }),
    })
    .end(written.body);
}

function namesOf({ names }: HttpExchange): { name: string; version: string | undefined } {
  try {
    const { name = "", version } = names;
    return { name: decodeURIComponent(name), version: version === undefined ? undefined : decodeURIComponent(version) };
  } catch {
    throw new PredictionError("unknown_model", "There is no such model here");
  }
}

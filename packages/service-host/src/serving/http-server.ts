import { createServer, type IncomingMessage, type Server } from "node:http";
import type { DescMethod } from "@bufbuild/protobuf";
import {
  Code,
  ConnectError,
  type ConnectRouter,
  type ContextValues,
  createContextValues,
  type Interceptor,
  type ServiceImplSpec,
} from "@connectrpc/connect";
import { parseTimeout as parseConnectTimeout } from "@connectrpc/connect/protocol-connect";
import { parseTimeout as parseGrpcTimeout } from "@connectrpc/connect/protocol-grpc";
import { type ConnectNodeAdapterOptions, connectNodeAdapter } from "@connectrpc/connect-node";
import { deadlineKey } from "../current-call.ts";
import { methodPath } from "../grpc/method-codec.ts";
import { timeoutOf } from "../interceptors/deadline.ts";
import { listen } from "./listen.ts";

type NodeServerRequest = Parameters<NonNullable<ConnectNodeAdapterOptions["fallback"]>>[0];
type NodeServerResponse = Parameters<NonNullable<ConnectNodeAdapterOptions["fallback"]>>[1];

export interface HttpServer {
  readonly port: number;
  /** Refuses new calls, lets those under way finish for up to `graceMs`, cuts the rest. */
  stop(graceMs: number): Promise<void>;
}

/** Serves the same implementations over HTTP/1.1: Connect, gRPC-Web and JSON. No CORS: browsers go to the gateway. */
export async function startHttpServer(o: {
  host: string;
  port: number;
  services: readonly ServiceImplSpec[];
  routes: (router: ConnectRouter) => void;
  interceptors: Interceptor[];
  callTimeoutMs: number;
  maxMessageBytes: number;
}): Promise<HttpServer> {
  const ending = new AbortController();
  const methods = new Map(
    o.services.flatMap(({ service }) => service.methods).map((method) => [methodPath(method), method]),
  );
  const handle = connectNodeAdapter({
    routes: o.routes,
    interceptors: o.interceptors,
    grpc: false,
    readMaxBytes: o.maxMessageBytes,
    shutdownSignal: ending.signal,
    contextValues: deadlineOf,
    fallback: notFound,
  });
  const server = createServer((request, response) => {
    const method = methods.get(pathOf(request));
    if (method) capTimeout(request, method, o.callTimeoutMs);
    // A client that keeps its connection would otherwise be answered by a closed one next time.
    if (!server.listening) response.setHeader("connection", "close");
    response.once("close", () => {
      if (!server.listening) server.closeIdleConnections();
    });
    handle(request, response);
  });
  const port = await listen(server, o);
  return { port, stop: (graceMs) => stop(server, ending, graceMs) };
}

function pathOf({ url = "" }: IncomingMessage): string {
  return url.split("?", 1)[0] ?? "";
}

interface Timeout {
  readonly header: "grpc-timeout" | "connect-timeout-ms";
  readonly wishedMs: number | undefined;
}

function timeoutFrom({ headers }: NodeServerRequest): Timeout {
  const grpcWeb = headers["content-type"]?.startsWith("application/grpc-web") ?? false;
  const header = grpcWeb ? "grpc-timeout" : "connect-timeout-ms";
  const text = headers[header];
  const parse = grpcWeb ? parseGrpcTimeout : parseConnectTimeout;
  const wishedMs = typeof text === "string" ? parse(text, Number.MAX_SAFE_INTEGER).timeoutMs : undefined;
  return { header, wishedMs };
}

/** Connect's adapter knows no default deadline, so a call without one is given ours before the adapter sees it. */
function capTimeout(request: IncomingMessage, { methodKind }: DescMethod, capMs: number): void {
  const { header, wishedMs } = timeoutFrom(request);
  // What cannot be read stays as it is: the adapter refuses it in the caller's protocol.
  if (request.headers[header] !== undefined && wishedMs === undefined) return;
  const timeoutMs = timeoutOf(methodKind, wishedMs, capMs);
  if (timeoutMs === undefined) return;
  request.headers[header] = header === "grpc-timeout" ? `${Math.floor(timeoutMs)}m` : String(Math.floor(timeoutMs));
}

function deadlineOf(request: NodeServerRequest): ContextValues {
  const values = createContextValues();
  const { wishedMs } = timeoutFrom(request);
  return wishedMs === undefined ? values : values.set(deadlineKey, Date.now() + wishedMs);
}

function notFound(_request: NodeServerRequest, response: NodeServerResponse): void {
  response.writeHead(404, { "content-type": "application/json" });
  response.end(JSON.stringify({ code: "unimplemented", message: "no such RPC" }));
}

async function stop(server: Server, ending: AbortController, graceMs: number): Promise<void> {
  const finished = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  const grace = setTimeout(() => {
    ending.abort(new ConnectError("the service is stopping", Code.Unavailable));
    setTimeout(() => server.closeAllConnections(), 1_000).unref();
  }, graceMs);
  await finished;
  clearTimeout(grace);
}

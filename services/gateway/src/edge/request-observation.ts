import { type IncomingMessage, METHODS, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Logger } from "@aiplatform/service-host";
import { createInstruments, nameTrace, traceFrom, withRequestId } from "@aiplatform/telemetry";
import {
  type Context,
  context,
  type Meter,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from "@opentelemetry/api";
import { edgeMetrics } from "./metrics.ts";

/** What a request turned out to be for. */
export interface ObservedOperation {
  /** Path as it is declared: one of few. */
  readonly path: string;
  /** Whether it is answered by server-sent events. */
  readonly streams?: boolean;
  readonly organisationId?: string;
}

/** Watches requests from their first byte to the end of the answer. */
export interface RequestObservation {
  /** Begins to watch; called once for every request. `answer` runs within the request's trace. */
  begin(request: IncomingMessage, response: ServerResponse, answer?: () => void): void;
  /** Says what a request is for. Where it leads to a call that is not the mesh's, names its trace in the call's headers. */
  operation(request: IncomingMessage, operation: ObservedOperation, headers?: Headers): void;
  /** Counts a request that was refused before anything was begun for it: no trace, no line in the log. */
  refused(request: IncomingMessage, refused: { readonly path: string; readonly status: number }): void;
  /** Counts a websocket's connection until it closes. */
  websocket(socket: Socket): void;
}

interface Watched {
  readonly span: Span;
  /** The caller's trace with our span in it, and the request's id. */
  readonly within: Context;
  readonly startedAt: number;
  operation?: ObservedOperation;
}

const methods: ReadonlySet<string> = new Set(METHODS);

/** Rate, errors and duration of every request as one histogram, one span each, and one log line where it was refused. */
export function observeRequests(o: { meter: Meter; tracer: Tracer; logger: Logger }): RequestObservation {
  const instruments = createInstruments(o.meter, edgeMetrics);
  const { http_server_request_duration_seconds: duration, sse_connections, websocket_connections } = instruments;
  const watched = new WeakMap<IncomingMessage, Watched>();
  let active = 0;
  instruments.http_server_active_requests.observe((report) => report(active));

  const end = (request: IncomingMessage, response: ServerResponse, { span, within, startedAt, operation }: Watched) => {
    active -= 1;
    if (operation?.streams) sse_connections.add(-1);
    const seconds = (performance.now() - startedAt) / 1_000;
    const [status, route] = [response.statusCode, operation?.path ?? ""];
    const labels = { http_request_method: methodOf(request), http_route: route, http_response_status_code: status };
    duration.record(seconds, labels);
    span.setAttributes({ "http.route": route, "http.response.status_code": status });
    if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
    span.end();
    const level = status >= 500 ? "warn" : status >= 400 ? "info" : "debug";
    if (!o.logger.isLevelEnabled(level)) return;
    const line = lineOf({ method: methodOf(request), route, status, seconds }, operation);
    context.with(within, () => o.logger[level](line, "request"));
  };

  return {
    begin(request, response, answer = () => {}) {
      active += 1;
      const parent = traceOf(request);
      const attributes = { "http.request.method": methodOf(request) };
      const span = o.tracer.startSpan(methodOf(request), { kind: SpanKind.SERVER, attributes }, parent);
      const requestId = request.headers["x-request-id"];
      const traced = trace.setSpan(parent, span);
      const within = typeof requestId === "string" ? withRequestId(traced, requestId) : traced;
      const begun: Watched = { span, within, startedAt: performance.now() };
      watched.set(request, begun);
      response.once("close", () => end(request, response, begun));
      context.with(within, answer);
    },
    operation(request, operation, headers) {
      const known = watched.get(request);
      if (!known) return;
      if (operation.streams && !known.operation?.streams) sse_connections.add(1);
      known.operation = operation;
      known.span.updateName(`${methodOf(request)} ${operation.path}`);
      if (headers) nameTrace(known.within, (name, value) => headers.set(name, value));
    },
    refused(request, { path, status }) {
      const labels = { http_request_method: methodOf(request), http_route: path, http_response_status_code: status };
      // It took less than the measuring of it would.
      duration.record(0, labels);
    },
    websocket(socket) {
      websocket_connections.add(1);
      socket.once("close", () => websocket_connections.add(-1));
    },
  };
}

function lineOf(
  { seconds, ...answered }: { method: string; route: string; status: number; seconds: number },
  operation: ObservedOperation | undefined,
): object {
  const caller = operation?.organisationId === undefined ? {} : { organisation_id: operation.organisationId };
  return { ...answered, ms: Math.round(seconds * 1e5) / 100, ...caller };
}

function methodOf({ method = "" }: IncomingMessage): string {
  return methods.has(method) ? method : "_OTHER";
}

function traceOf({ headers }: IncomingMessage): Context {
  return traceFrom({
    get: (name) => {
      const value = headers[name];
      return typeof value === "string" ? value : undefined;
    },
  });
}

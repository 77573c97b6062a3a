import type { IncomingMessage, ServerResponse } from "node:http";
import { extractTrace, injectTrace, type Logger } from "@aiplatform/service-host";
import {
  type Context,
  type Meter,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from "@opentelemetry/api";

/** Watches requests from their first byte to the end of the answer. */
export interface RequestObservation {
  /** Begins to watch; called once for every request. */
  begin(request: IncomingMessage, response: ServerResponse): void;
  /** Says which operation a request is for, and names its trace in the metadata of the call it leads to. */
  operation(request: IncomingMessage, route: string, metadata: Headers): void;
}

interface Watched {
  readonly span: Span;
  /** The caller's trace with our span in it. */
  readonly within: Context;
  route: string;
}

/** Seconds; from a cached read to a long poll. */
const buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** Rate, errors and duration of every request as one histogram, one span each, one log line where we failed. */
export function observeRequests(o: { meter: Meter; tracer: Tracer; logger: Logger }): RequestObservation {
  const duration = o.meter.createHistogram("http.server.request.duration", {
    description: "Time from a request's first byte to the end of its answer, by method, route and status.",
    unit: "s",
    advice: { explicitBucketBoundaries: buckets },
  });
  const watched = new WeakMap<IncomingMessage, Watched>();

  const end = (request: IncomingMessage, response: ServerResponse, startedAt: number) => {
    const { span, route } = watched.get(request) ?? {};
    const seconds = (performance.now() - startedAt) / 1_000;
    const status = response.statusCode;
    duration.record(seconds, {
      "http.request.method": request.method ?? "",
      "http.route": route ?? "",
      "http.response.status_code": status,
    });
    span?.setAttributes({ "http.route": route ?? "", "http.response.status_code": status });
    if (status >= 500) {
      span?.setStatus({ code: SpanStatusCode.ERROR });
      const requestId = response.getHeader("x-request-id");
      o.logger.warn({ method: request.method, route, status, requestId, ms: Math.round(seconds * 1_000) }, "request");
    }
    span?.end();
  };

  return {
    begin(request, response) {
      const startedAt = performance.now();
      const parent = traceOf(request);
      const span = o.tracer.startSpan(request.method ?? "request", { kind: SpanKind.SERVER }, parent);
      watched.set(request, { span, within: trace.setSpan(parent, span), route: "" });
      response.once("close", () => end(request, response, startedAt));
    },
    operation(request, route, metadata) {
      const known = watched.get(request);
      if (!known) return;
      known.route = route;
      known.span.updateName(`${request.method} ${route}`);
      injectTrace(known.within, metadata);
    },
  };
}

function traceOf({ headers: { traceparent, tracestate } }: IncomingMessage): Context {
  if (typeof traceparent !== "string") return ROOT_CONTEXT;
  const headers = new Headers({ traceparent, ...(typeof tracestate === "string" ? { tracestate } : {}) });
  return extractTrace(ROOT_CONTEXT, headers);
}

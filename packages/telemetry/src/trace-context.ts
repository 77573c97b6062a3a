import { type Context, context, createContextKey, ROOT_CONTEXT, type TextMapGetter } from "@opentelemetry/api";
import { W3CTraceContextPropagator } from "@opentelemetry/core";

// Not the process's global one: other code may have left that unset.
const propagator = new W3CTraceContextPropagator();
const requestIdKey = createContextKey("aiplatform request id");

/** Where a trace's headers are read. */
interface TraceHeaders {
  get(name: string): string | null | undefined;
}

const getter: TextMapGetter<TraceHeaders> = { get: (headers, name) => headers.get(name) ?? undefined, keys: () => [] };

/** A context with the trace that `traceparent` and `tracestate` name, if they do. */
export function traceFrom(headers: TraceHeaders): Context {
  return headers.get("traceparent") ? propagator.extract(ROOT_CONTEXT, headers, getter) : ROOT_CONTEXT;
}

/** A context with the trace that a `traceparent` names, if it does. */
export function traceOf(traceparent: string | undefined): Context {
  return traceFrom({ get: (name) => (name === "traceparent" ? traceparent : undefined) });
}

/** Names the trace of `active` by calling `set` for each header; does nothing where there is none. */
export function nameTrace(active: Context, set: (name: string, value: string) => void): void {
  propagator.inject(active, set, { set: (carrier, name, value) => carrier(name, value) });
}

/** W3C trace context of what is under way, if there is one. */
export function currentTraceparent(active: Context = context.active()): string | undefined {
  let found: string | undefined;
  nameTrace(active, (name, value) => {
    if (name === "traceparent") found = value;
  });
  return found;
}

/** `parent` in which log lines name that request. */
export function withRequestId(parent: Context, requestId: string): Context {
  return parent.setValue(requestIdKey, requestId);
}

/** The request on whose behalf this code runs, in whichever process it was made; undefined for background work. */
export function currentRequestId(): string | undefined {
  const requestId = context.active().getValue(requestIdKey);
  return typeof requestId === "string" ? requestId : undefined;
}

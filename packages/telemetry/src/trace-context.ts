import { type Context, context, createContextKey, ROOT_CONTEXT, type TextMapGetter } from "@opentelemetry/api";
import { W3CTraceContextPropagator } from "@opentelemetry/core";

// Not the process's global one: other code may have left that unset.
const propagator = new W3CTraceContextPropagator();
const requestIdKey = createContextKey("aiplatform request id");

/** Where a trace's headers are read: undefined for those that are missing. */
export interface TraceHeaders {
  get(name: string): string | undefined;
}

const getter: TextMapGetter<TraceHeaders> = { get: (headers, name) => headers.get(name), keys: () => [] };

/** `parent` with the trace that `traceparent` and `tracestate` name, if they do. */
export function traceFrom(headers: TraceHeaders, parent: Context = ROOT_CONTEXT): Context {
  return headers.get("traceparent") ? propagator.extract(parent, headers, getter) : parent;
}

/** `parent` with the trace that a `traceparent` names; `parent` itself where there is none. */
export function traceOf(traceparent: string | undefined, parent: Context = ROOT_CONTEXT): Context {
  return traceFrom({ get: (name) => (name === "traceparent" ? traceparent : undefined) }, parent);
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

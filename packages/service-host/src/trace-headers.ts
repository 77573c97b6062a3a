import type { Context } from "@opentelemetry/api";
import { W3CTraceContextPropagator } from "@opentelemetry/core";

const propagator = new W3CTraceContextPropagator();
const getter = {
  get: (headers: Headers, key: string) => headers.get(key) ?? undefined,
  keys: (headers: Headers) => [...headers.keys()],
};
const setter = { set: (headers: Headers, key: string, value: string) => headers.set(key, value) };

/** `parent` with the trace that `traceparent` and `tracestate` of `headers` name, if they do. */
export function extractTrace(parent: Context, headers: Headers): Context {
  return headers.has("traceparent") ? propagator.extract(parent, headers, getter) : parent;
}

/** Names the trace of `active` in `headers`; writes nothing where there is none. */
export function injectTrace(active: Context, headers: Headers): void {
  propagator.inject(active, headers, setter);
}

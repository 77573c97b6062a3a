import { currentRequestId } from "@aiplatform/telemetry";
import { isSpanContextValid, trace } from "@opentelemetry/api";
import { type DestinationStream, type Logger, pino } from "pino";
import { currentCall } from "./current-call.ts";

export type { Logger } from "pino";

/** Names under which credentials travel; their values never reach a log line, at any of the usual depths. */
const secretNames = [
  "authorization",
  "api-key",
  "apiKey",
  "x-caller-context",
  "x-service-assertion",
  "signedContext",
  "bearer",
  "cookie",
];
const redacted = secretNames.flatMap((name) => [`["${name}"]`, `*["${name}"]`, `*.*["${name}"]`]);

/** JSON lines on standard output, or to `destination`; each line within a call names its request and trace. */
export function createLogger(o: { service: string; level: string; destination?: DestinationStream }): Logger {
  const options = {
    level: o.level,
    base: { service: o.service },
    messageKey: "msg",
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    formatters: { level: (label: string) => ({ level: label }) },
    redact: { paths: redacted, censor: "[secret]" },
    mixin: callFields,
  };
  return o.destination ? pino(options, o.destination) : pino(options);
}

/** Which request a line is about, and where in which trace; also where a request's events are handled, and in sweeps. */
function callFields(): Record<string, string> {
  const requestId = currentCall()?.requestId ?? currentRequestId();
  const request = requestId === undefined ? {} : { request_id: requestId };
  const span = trace.getActiveSpan()?.spanContext();
  if (!span || !isSpanContextValid(span)) return request;
  return { ...request, trace_id: span.traceId, span_id: span.spanId };
}

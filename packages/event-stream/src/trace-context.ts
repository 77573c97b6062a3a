import { type Context, context, propagation, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";

/** What carries the trace: the headers of a message. */
export interface HeaderCarrier {
  get(name: string): string;
  keys(): string[];
}

/** W3C trace context of what is under way, if telemetry is on. */
export function currentTraceparent(): string | undefined {
  const carrier: Record<string, string> = {};
  propagation.inject(context.active(), carrier);
  return carrier["traceparent"];
}

function contextIn(headers: HeaderCarrier): Context {
  return propagation.extract(ROOT_CONTEXT, headers, {
    get: (carrier, name) => carrier.get(name) || undefined,
    keys: (carrier) => carrier.keys(),
  });
}

/** Runs `work` in a span that continues the sender's trace. */
export function continueTrace<R>(name: string, headers: HeaderCarrier, work: () => Promise<R>): Promise<R> {
  const tracer = trace.getTracer("@aiplatform/event-stream");
  return tracer.startActiveSpan(name, { kind: SpanKind.CONSUMER }, contextIn(headers), async (span) => {
    try {
      return await work();
    } catch (error) {
      span.setStatus({ code: SpanStatusCode.ERROR });
      throw error;
    } finally {
      span.end();
    }
  });
}

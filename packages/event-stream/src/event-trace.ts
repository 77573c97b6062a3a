import type { OutboxRecord } from "@aiplatform/document-store";
import { currentTraceparent, inSpan, traceOf, withRequestId } from "@aiplatform/telemetry";
import {
  type Attributes,
  type Context,
  type Link,
  ROOT_CONTEXT,
  SpanKind,
  type Tracer,
  trace,
} from "@opentelemetry/api";
import type { MsgHdrs } from "nats";
import type { ReceivedEvent } from "./cloud-event.ts";

/** The trace and the request that caused an event, as its headers tell; for the log lines about it. */
export function contextOfMessage(headers: MsgHdrs | undefined): Context {
  const requestId = headers?.get("ce-requestid");
  return contextOfCause(headers?.get("traceparent"), requestId ? decodeURIComponent(requestId) : undefined);
}

function contextOfCause(traceparent: string | undefined, requestId: string | undefined): Context {
  const caused = traceOf(traceparent || undefined);
  return requestId ? withRequestId(caused, requestId) : caused;
}

/** A record on its way out: a span of its trace, which the message then names as its sender. Ended by the caller. */
export function beginSending(tracer: Tracer | undefined, record: OutboxRecord): { record: OutboxRecord; end(): void } {
  if (!tracer || record.traceparent === undefined) return { record, end: () => {} };
  const parent = traceOf(record.traceparent);
  const attributes = { ...messaging(record.type, record.id), "messaging.operation.type": "send" };
  const span = tracer.startSpan(`send ${record.type}`, { kind: SpanKind.PRODUCER, attributes }, parent);
  const traceparent = currentTraceparent(trace.setSpan(parent, span)) ?? record.traceparent;
  return { record: { ...record, traceparent }, end: () => span.end() };
}

/** One attempt at an event, in the trace of the request that caused it. */
export function handlingOne<R>(
  tracer: Tracer | undefined,
  { consumer, event }: { consumer: string; event: ReceivedEvent },
  work: () => Promise<R>,
): Promise<R> {
  const attributes = {
    ...messaging(event.type, event.id),
    ...handling(consumer),
    "messaging.message.delivery_attempt": event.attempt,
  };
  const parent = contextOfCause(event.traceparent, event.cause?.requestId);
  return inSpan({ tracer, name: `process ${event.type}`, kind: SpanKind.CONSUMER, attributes, parent }, work);
}

/** Work on several events at once: within their trace where they have one in common, else a trace of its own, linked with theirs. */
export function handlingBatch<R>(
  tracer: Tracer | undefined,
  { consumer, events }: { consumer: string; events: readonly ReceivedEvent[] },
  work: () => Promise<R>,
): Promise<R> {
  const causes = events.map(({ traceparent, cause }) => contextOfCause(traceparent, cause?.requestId));
  const spans = causes.map((cause) => trace.getSpanContext(cause));
  const [first] = spans;
  const isOneTrace = first !== undefined && spans.every((span) => span?.traceId === first.traceId);
  const links = isOneTrace ? [] : spans.flatMap((context): Link[] => (context ? [{ context }] : []));
  const parent = (isOneTrace && causes[0]) || ROOT_CONTEXT;
  const attributes = { ...handling(consumer), "messaging.batch.message_count": events.length };
  const span = { name: `process ${consumer}`, kind: SpanKind.CONSUMER, attributes, links, parent };
  return inSpan({ tracer, ...span }, work);
}

function messaging(type: string, id: string): Attributes {
  return { "messaging.system": "nats", "messaging.destination.name": type, "messaging.message.id": id };
}

function handling(consumer: string): Attributes {
  return {
    "messaging.system": "nats",
    "messaging.operation.type": "process",
    "messaging.consumer.group.name": consumer,
  };
}

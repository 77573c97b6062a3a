import { createInstruments, type Measuring, markFailed } from "@aiplatform/telemetry";
import { type Attributes, context, type Span, SpanKind, type Tracer, trace } from "@opentelemetry/api";
import type { CommandFailedEvent, CommandStartedEvent, CommandSucceededEvent, MongoClient } from "mongodb";
import { batchLinks } from "./batch-trace.ts";
import type { ServerClock } from "./server-clock.ts";
import { storeMetrics } from "./store-metrics.ts";

interface UnderWay {
  startedAt: number;
  collection: string;
  span: Span | undefined;
}

/** Commands that keep a connection and a login alive: no request causes them, and some contain secrets. */
const housekeeping: ReadonlySet<string> = new Set([
  "hello",
  "ismaster",
  "isMaster",
  "saslStart",
  "saslContinue",
  "authenticate",
  "endSessions",
  "ping",
]);

/**
 * Measures what a client does from the driver's own events, and makes a span of each operation within a trace. Nothing of
 * what is written, looked for or found goes into either: only names.
 */
export function observeClient(client: MongoClient, clock: ServerClock, { meter, tracer }: Measuring): void {
  if (!meter && !tracer) return;
  const { mongodb_operation_duration_seconds: duration } = createInstruments(meter, {
    mongodb_operation_duration_seconds: storeMetrics.mongodb_operation_duration_seconds,
  });
  const underWay = new Map<number, UnderWay>();
  client.on("commandStarted", (event) => {
    if (housekeeping.has(event.commandName)) return;
    const collection = collectionOf(event);
    const span = tracer && startSpan(tracer, event, collection);
    underWay.set(event.requestId, { startedAt: performance.now(), collection, span });
  });
  const ended = (event: CommandSucceededEvent | CommandFailedEvent, failure?: Error) => {
    const begun = underWay.get(event.requestId);
    if (!begun) return;
    underWay.delete(event.requestId);
    const { startedAt, collection, span } = begun;
    const outcome = failure === undefined ? "ok" : "failed";
    duration.record((performance.now() - startedAt) / 1_000, { operation: event.commandName, collection, outcome });
    if (failure && span) markFailed(span, failure);
    span?.end();
  };
  client.on("commandSucceeded", (event) => ended(event));
  client.on("commandFailed", (event) => ended(event, event.failure));
  observePool(client, { meter });
  observeClock(clock, { meter });
}

/** Only within a recorded trace: background work, such as reading the outbox, would fill a trace store with roots. */
function startSpan(tracer: Tracer, event: CommandStartedEvent, collection: string): Span | undefined {
  const active = context.active();
  if (!trace.getSpan(active)?.isRecording()) return undefined;
  const name = collection === "" ? event.commandName : `${event.commandName} ${collection}`;
  const attributes: Attributes = {
    "db.system.name": "mongodb",
    "db.namespace": event.databaseName,
    "db.operation.name": event.commandName,
    "server.address": event.address,
    ...(collection === "" ? {} : { "db.collection.name": collection }),
    ...batchSize(event),
  };
  return tracer.startSpan(name, { kind: SpanKind.CLIENT, attributes, links: batchLinks(active) }, active);
}

function batchSize({ command }: CommandStartedEvent): Attributes {
  const batch = [command["documents"], command["updates"], command["deletes"]].find(Array.isArray);
  return batch && batch.length > 1 ? { "db.operation.batch.size": batch.length } : {};
}

function collectionOf({ commandName, command }: CommandStartedEvent): string {
  const named: unknown = commandName === "getMore" ? command["collection"] : command[commandName];
  return typeof named === "string" ? named : "";
}

/** Counted from the events, because the driver tells of its pool in no other way. */
function observePool(client: MongoClient, { meter }: Pick<Measuring, "meter">): void {
  const { mongodb_pool_connections, mongodb_pool_waiting, mongodb_pool_refusals_total } = createInstruments(meter, {
    mongodb_pool_connections: storeMetrics.mongodb_pool_connections,
    mongodb_pool_waiting: storeMetrics.mongodb_pool_waiting,
    mongodb_pool_refusals_total: storeMetrics.mongodb_pool_refusals_total,
  });
  const pool = { open: 0, used: 0, waiting: 0 };
  client.on("connectionCreated", () => pool.open++);
  client.on("connectionClosed", () => pool.open--);
  client.on("connectionCheckOutStarted", () => pool.waiting++);
  client.on("connectionCheckedOut", () => {
    pool.waiting--;
    pool.used++;
  });
  client.on("connectionCheckedIn", () => pool.used--);
  client.on("connectionCheckOutFailed", ({ reason }) => {
    pool.waiting--;
    mongodb_pool_refusals_total.add(1, {
      reason: reason === "timeout" || reason === "poolClosed" ? reason : "connectionError",
    });
  });
  mongodb_pool_connections.observe((report) => {
    report(Math.max(0, pool.open - pool.used), { state: "idle" });
    report(pool.used, { state: "used" });
  });
  mongodb_pool_waiting.observe((report) => report(Math.max(0, pool.waiting)));
}

function observeClock(clock: ServerClock, { meter }: Pick<Measuring, "meter">): void {
  const { mongodb_clock_difference_seconds } = createInstruments(meter, {
    mongodb_clock_difference_seconds: storeMetrics.mongodb_clock_difference_seconds,
  });
  mongodb_clock_difference_seconds.observe((report) => {
    const { aheadMs } = clock;
    if (aheadMs !== undefined) report(aheadMs / 1_000);
  });
}

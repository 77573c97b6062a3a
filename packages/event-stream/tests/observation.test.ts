import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import { connectDocumentStore, type OutboxRecord } from "@aiplatform/document-store";
import { currentRequestId } from "@aiplatform/telemetry";
import { eventually, serviceKeyFiles, serviceKeys } from "@aiplatform/testkit";
import { context, SpanKind, trace } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from "@opentelemetry/sdk-metrics";
import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from "@opentelemetry/sdk-trace";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { connectEventStream, type ReceivedEvent } from "../src/index.ts";

const type = "aiplatform.training.job.completed.v1";
const spans = new InMemorySpanExporter();
const tracer = new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter: spans })] }).getTracer("test");
const measured = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
const reader = new PeriodicExportingMetricReader({ exporter: measured });
const meters = new MeterProvider({ readers: [reader] });
const meter = meters.getMeter("test");
const open = new AsyncDisposableStack();

const record = (entityId: string, traceId = "0af7651916cd43dd8448eb211c80319c"): OutboxRecord => ({
  id: randomUUID(),
  ...{ type, entityId, organisationId: "o", data: new Uint8Array(), dataSchema: "s", time: new Date() },
  traceparent: `00-${traceId}-b7ad6b7169203331-01`,
  cause: { requestId: "request-1" },
});

/** A stream of its own whose log lines are kept. */
async function openStream() {
  const lines: object[] = [];
  const streamName = `observation-${randomUUID().slice(0, 8)}`;
  const note = (fields: object) =>
    void lines.push({ ...fields, requestId: currentRequestId(), ...trace.getActiveSpan()?.spanContext() });
  const stream = await connectEventStream({
    servers: process.env["TEST_NATS_URL"] ?? "",
    name: "test",
    keys: serviceKeys("training"),
    streamName,
    logger: { info: () => {}, warn: note },
    meter,
    tracer,
  });
  open.use(stream);
  await eventually(() => stream.incarnation());
  return { stream, streamName, lines };
}

const named = (name: string) => spans.getFinishedSpans().filter((span) => span.name === name);

beforeAll(() => {
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
});

afterAll(async () => {
  await open.disposeAsync();
  await meters.shutdown();
});

describe("an event", () => {
  it("is sent and handled in the trace of what caused it, one below the other, and its handler's too", async () => {
    const { stream } = await openStream();
    const store = open.use(
      await connectDocumentStore({
        uri: process.env["TEST_MONGODB_URI"] ?? "",
        database: `observation-${randomUUID().slice(0, 8)}`,
        appName: "test",
        tracer,
      }),
    );
    const seen: string[] = [];
    const handler = async ({ entityId }: ReceivedEvent) => {
      seen.push(entityId, currentRequestId() ?? "", trace.getActiveSpan()?.spanContext().spanId ?? "");
    };
    stream.consume({ durable: "one-by-one", subjects: [`${type}.*.*`], store, handler });
    await stream.publish([record("job")]);
    const [processed] = await eventually(() => named(`process ${type}`).length > 0 && named(`process ${type}`));
    const [sent] = named(`send ${type}`);
    expect(sent).toMatchObject({ kind: SpanKind.PRODUCER, parentSpanContext: { spanId: "b7ad6b7169203331" } });
    expect(processed).toMatchObject({
      kind: SpanKind.CONSUMER,
      parentSpanContext: { spanId: sent?.spanContext().spanId },
    });
    expect(seen).toEqual(["job", "request-1", processed?.spanContext().spanId]);
    const inserts = named("insert inbox").filter(({ parentSpanContext }) => parentSpanContext?.spanId === seen[2]);
    expect(inserts).toHaveLength(1);
    expect(new Set([sent, processed, ...inserts].map((span) => span?.spanContext().traceId)).size).toBe(1);
    await store.database.dropDatabase();
  });

  it("that is handled together with others is linked with, and with those of its own trace continues that", async () => {
    const { stream, lines } = await openStream();
    const handler = async (events: readonly ReceivedEvent[]) => {
      if (events.some(({ entityId }) => entityId === "bad")) throw new Error("no");
    };
    stream.consumeBatches({ durable: "by-the-batch", subjects: [`${type}.*.*`], handler, maxDeliver: 1 });
    const [one, other] = ["0af7651916cd43dd8448eb211c80319c", "4bf92f3577b34da6a3ce929d0e0e4736"];
    await stream.publish([record("good", one), record("bad", other)]);
    await eventually(() => lines.length > 0);
    const batch = await eventually(() => named("process by-the-batch").find(({ links }) => links.length === 2));
    expect(batch.links.map(({ context: { traceId } }) => traceId)).toEqual([one, other]);
    expect([one, other]).not.toContain(batch.spanContext().traceId);
    const alone = named("process by-the-batch").filter(({ links }) => links.length === 0);
    expect(alone.map((span) => span.spanContext().traceId)).toEqual([one, other]);
    expect(lines[0]).toMatchObject({ durable: "by-the-batch", requestId: "request-1", traceId: other });
  });
});

describe("the metrics", () => {
  it("tell what consumers did, how far they are behind, and of dead letters", async () => {
    const { stream } = await openStream();
    const failing = async () => {
      throw new Error("no");
    };
    stream.consumeBatches({ durable: "failing", subjects: [`${type}.*.*`], handler: failing, maxDeliver: 1 });
    stream.consumeBatches({ durable: "idle", subjects: [`${type}.none.*`], handler: failing });
    await stream.publish([record("a")]);
    const scraped = async () => {
      await reader.forceFlush();
      return (measured.getMetrics().at(-1)?.scopeMetrics ?? []).flatMap(({ metrics }) => metrics);
    };
    let metrics = await scraped();
    const value = (name: string, labels: object) =>
      metrics
        .find(({ descriptor }) => descriptor.name === name)
        ?.dataPoints.find(({ attributes }) => JSON.stringify(attributes) === JSON.stringify(labels))?.value;
    for (
      let i = 0;
      i < 200 && value("consumer_events_total", { consumer: "failing", outcome: "dead_lettered" }) !== 1;
      i++
    ) {
      await delay(50);
      metrics = await scraped();
    }
    expect(value("consumer_events_total", { consumer: "failing", outcome: "dead_lettered" })).toBe(1);
    // In its batch, and then on its own.
    expect(value("consumer_events_total", { consumer: "failing", outcome: "failed" })).toBe(2);
    expect(value("consumer_pending", { consumer: "idle" })).toBe(0);
    expect(value("consumer_unacknowledged", { consumer: "idle" })).toBe(0);
    expect(value("nats_connected", {})).toBe(1);
    expect(metrics.find(({ descriptor }) => descriptor.name === "dead_letters")?.dataPoints).toHaveLength(1);
  });
});

describe("dead letters", () => {
  it("are tried again by a command, and leave it when they are handled", async () => {
    const { stream, streamName, lines } = await openStream();
    const repaired = { yes: false };
    const handler = async () => {
      if (!repaired.yes) throw new Error("no");
    };
    stream.consumeBatches({ durable: "mendable", subjects: [`${type}.*.*`], handler, maxDeliver: 1 });
    await stream.publish([record("a"), record("b")]);
    await eventually(() => lines.length === 2);
    const command = async () => {
      const keys = serviceKeyFiles("operator");
      const env = { ...process.env, ...keys, NATS_URL: process.env["TEST_NATS_URL"], NATS_STREAM: streamName };
      const args = ["--disable-warning=ExperimentalWarning", "packages/event-stream/src/redrive-main.ts"];
      const said = await promisify(execFile)(process.execPath, args, { env }).catch((error: unknown) => error);
      return String(Reflect.get(Object(said), "stdout"));
    };
    let said = await command();
    // The second may be on its way to the dead letters still.
    for (let i = 0; i < 20 && !said.includes("2 dead letters"); i++) said = await command();
    expect(said).toBe("mendable: 2 dead letters, 0 handled, 2 failed again\n");
    repaired.yes = true;
    expect(await command()).toBe("mendable: 2 dead letters, 2 handled, 0 failed again\n");
    expect(await command()).toBe("there are no dead letters\n");
  });
});

import { randomUUID } from "node:crypto";
import { context, ROOT_CONTEXT, trace } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from "@opentelemetry/sdk-metrics";
import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from "@opentelemetry/sdk-trace";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { connectDocumentStore, type DocumentStore, GroupWriter } from "../src/index.ts";

const secret = "do-not-reveal-this";
const spans = new InMemorySpanExporter();
const provider = new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter: spans })] });
const tracer = provider.getTracer("test");
const measured = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
const reader = new PeriodicExportingMetricReader({ exporter: measured });
const meters = new MeterProvider({ readers: [reader] });
let store: DocumentStore;

beforeAll(async () => {
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  store = await connectDocumentStore({
    uri: process.env["TEST_MONGODB_URI"] ?? "",
    database: `observation-${randomUUID().slice(0, 8)}`,
    appName: "test",
    tracer,
    meter: meters.getMeter("test"),
  });
});

afterAll(async () => {
  await store?.database.dropDatabase();
  await store?.close();
  await meters.shutdown();
});

/** The spans of the operations that `work` makes within a span of its own. */
async function spansOf(work: () => Promise<unknown>) {
  spans.reset();
  const root = tracer.startSpan("request");
  await context.with(trace.setSpan(ROOT_CONTEXT, root), work);
  root.end();
  const { spanId } = root.spanContext();
  return spans.getFinishedSpans().filter((span) => span.parentSpanContext?.spanId === spanId);
}

const people = () => store.database.collection<{ _id: string; note: string }>("people");

describe("an operation within a trace", () => {
  it("is a span that names what is done and where, and nothing of what is in it", async () => {
    const made = await spansOf(async () => {
      await people().insertOne({ _id: randomUUID(), note: secret });
      await people().find({ note: secret }).toArray();
    });
    expect(made.map(({ name }) => name)).toEqual(["insert people", "find people"]);
    expect(made[0]?.attributes).toMatchObject({ "db.operation.name": "insert", "db.collection.name": "people" });
    expect(
      JSON.stringify(made.map(({ attributes, events, status }) => ({ attributes, events, status }))),
    ).not.toContain(secret);
  });

  it("that fails is marked with the kind of failure alone", async () => {
    const _id = randomUUID();
    const made = await spansOf(async () => {
      await people().insertOne({ _id, note: "" });
      await people()
        .aggregate([{ $match: { $expr: { $divide: [1, { $literal: secret }] } } }])
        .toArray()
        .catch(() => {});
    });
    expect(made.at(-1)?.attributes["error.type"]).toBe("MongoServerError");
    expect(JSON.stringify(made.at(-1)?.attributes) + JSON.stringify(made.at(-1)?.status)).not.toContain(secret);
  });
});

describe("an operation outside of a trace", () => {
  it("makes no span", async () => {
    spans.reset();
    await people().findOne({ _id: "x" });
    expect(spans.getFinishedSpans()).toEqual([]);
  });
});

describe("writes that go to the database together", () => {
  it("belong to the trace of the first, linked with the others'", async () => {
    const writer = new GroupWriter(store.database.collection<{ _id: string }>("grouped"));
    const roots = ["first", "second", "third"].map((name) => tracer.startSpan(name));
    spans.reset();
    await Promise.all(
      roots.map((root) =>
        context.with(trace.setSpan(ROOT_CONTEXT, root), () => writer.submit([{ _id: randomUUID() }])),
      ),
    );
    await writer.close();
    const [alone, together] = spans.getFinishedSpans();
    const [first, second, third] = roots.map((root) => root.spanContext().traceId);
    expect(alone?.spanContext().traceId).toBe(first);
    expect(together?.spanContext().traceId).toBe(second);
    expect(together?.links.map(({ context: { traceId } }) => traceId)).toEqual([third]);
  });
});

/** Values of a metric now. */
async function pointsOf(name: string) {
  await reader.forceFlush();
  const seen = measured.getMetrics().at(-1)?.scopeMetrics ?? [];
  const found = seen.flatMap(({ metrics }) => metrics).find(({ descriptor }) => descriptor.name === name);
  return found?.dataPoints ?? [];
}

describe("the metrics", () => {
  it("tell how far the clock is from the primary's, which is here the same", async () => {
    const [point] = await pointsOf("mongodb_clock_difference_seconds");
    expect(Math.abs(Number(point?.value))).toBeLessThan(2);
  });

  it("count operations by name, collection and outcome, and connections by state", async () => {
    await people().findOne({ _id: "x" });
    expect((await pointsOf("mongodb_operation_duration_seconds")).map(({ attributes }) => attributes)).toContainEqual({
      operation: "find",
      collection: "people",
      outcome: "ok",
    });
    const open = (await pointsOf("mongodb_pool_connections")).map(({ value }) => Number(value));
    expect(open.reduce((sum, each) => sum + each, 0)).toBeGreaterThan(0);
    expect((await pointsOf("mongodb_pool_waiting")).map(({ value }) => value)).toEqual([0]);
  });
});

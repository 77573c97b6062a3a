import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from "@opentelemetry/sdk-metrics";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { processesOf } from "./engine-processes.ts";
import { openTestEngine, type TestEngine } from "./test-engine.ts";

const exporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
const meters = new MeterProvider({ readers: [new PeriodicExportingMetricReader({ exporter })] });
let test: TestEngine;
beforeAll(async () => {
  test = await openTestEngine({ meter: meters.getMeter("test"), idleMs: 1_000 });
});
afterAll(async () => {
  await test[Symbol.asyncDispose]();
  await meters.shutdown();
});

/** What a metric says, by one of its labels. */
async function told(name: string, label: string): Promise<Record<string, number>> {
  await meters.forceFlush();
  const scopes = exporter.getMetrics().at(-1)?.scopeMetrics ?? [];
  const metrics = scopes.flatMap((scope) => scope.metrics);
  const points = metrics.find(({ descriptor }) => descriptor.name === name)?.dataPoints ?? [];
  return Object.fromEntries(points.map(({ attributes, value }) => [String(attributes[label]), Number(value)]));
}
/** Processes that ended before their time, by why. */
const ended = () => told("data_engine_processes_ended_total", "cause");
const busy = () => vi.waitUntil(async () => (await told("data_engine_processes", "state"))["busy"] === 1);

const endless = "SELECT count(*) FROM range(1000000000000) a";
const ask = (sql: string, more: { timeMs?: number; signal?: AbortSignal } = {}) => {
  const { timeMs = 30_000, ...rest } = more;
  return test.engine.query({ organisationId: "ada", views: {}, sql, limit: 1, limits: { timeMs }, ...rest });
};

describe.skipIf(process.platform !== "linux")("a process that ends before its time is counted", () => {
  it("as a crash when something kills it", async () => {
    await ask("SELECT 1");
    const lost = expect(ask(endless)).rejects.toMatchObject({ name: "EngineStoppedError" });
    for (const pid of processesOf(test.directory)) process.kill(pid, "SIGKILL");
    await lost;
    expect(await ended()).toMatchObject({ crash: 1, time: 0, memory: 0, disk: 0, cancelled: 0 });
  });

  it("as one of too much memory", async () => {
    const sql = "SELECT list(repeat('x', 1000) || range) FROM range(100000000)";
    await expect(ask(sql)).rejects.toMatchObject({ name: "EngineLimitError" });
    await vi.waitFor(async () => {
      const { memory = 0, disk = 0 } = await ended();
      expect(memory + disk).toBe(1);
    });
  });

  it("as one of its time when it does not stop by itself", async () => {
    await ask("SELECT 1");
    const late = expect(ask(endless, { timeMs: 500 })).rejects.toMatchObject({ limit: "time" });
    for (const pid of processesOf(test.directory)) process.kill(pid, "SIGSTOP");
    await late;
    expect(await ended()).toMatchObject({ time: 1 });
  });

  it("as cancelled when its caller leaves and it does not stop by itself", async () => {
    await ask("SELECT 1");
    const caller = new AbortController();
    const left = expect(ask(endless, { signal: caller.signal })).rejects.toThrow("the caller left");
    for (const pid of processesOf(test.directory)) process.kill(pid, "SIGSTOP");
    await busy();
    caller.abort(new Error("the caller left"));
    await left;
    await vi.waitFor(async () => expect(await ended()).toMatchObject({ cancelled: 1 }), { timeout: 20_000 });
  });

  it("and one that is needed no longer is not", async () => {
    const before = await ended();
    await ask("SELECT 1");
    await vi.waitFor(() => expect(processesOf(test.directory)).toEqual([]), { timeout: 20_000 });
    expect(await ended()).toEqual(before);
  });
});

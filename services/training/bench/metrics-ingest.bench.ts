/**
 * What it costs to make reported points durable: the service's own stream against the same stream that only folds them
 * in memory, against the same batches sent one by one (`SendReport`, each after the answer to the one before), and against one
 * document per point in a time-series collection. Batches hold 1,000 points of 50 metrics;
 * variants take turns within each repetition, so that their ratios hold whatever else the machine does.
 *
 *     node services/training/bench/metrics-ingest.bench.ts [--rounds 5]
 */
import { randomUUID } from "node:crypto";
import { mkdtempDisposable } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { JobState, RunService } from "@aiplatform/contract/aiplatform/training/v1/runs";
import {
  type ReportRequest,
  ReportRequestSchema,
  TrainerService,
} from "@aiplatform/contract/aiplatform/training/v1/trainers";
import { startInfra } from "@aiplatform/local-platform";
import { createMeshTransport } from "@aiplatform/service-host";
import { assertedAs, serviceKeyFiles } from "@aiplatform/testkit";
import { create } from "@bufbuild/protobuf";
import { createClient, type Transport } from "@connectrpc/connect";
import { type Bench, runBench } from "../../../bench/harness/bench.ts";
import type { Figure } from "../../../bench/harness/figure.ts";
import { cpuSeconds } from "../../../bench/harness/processes.ts";
import { benchCaller, benchKey } from "./bench-caller.ts";
import { type BenchProcess, startProcess, stopProcess } from "./bench-process.ts";

const pointCount = 1_000;
const metricCount = 50;
const variants = ["memory", "durable", "one by one", "time-series"] as const;
type Variant = (typeof variants)[number];

/** Of a round. One document per point is so slow that an eighth says enough. */
const batches = 400;

/** One stream that is filled again and again. */
interface Stream {
  variant: Variant;
  process: BenchProcess;
  transport: Transport & { close(): void };
  pipelineId: string;
  address: { runId: string; jobName: string; attachmentId: string };
  counter: number;
}

async function open(variant: Variant, env: Record<string, string>): Promise<Stream> {
  const isService = variant === "durable" || variant === "one by one";
  const server = await startProcess("./report-server.ts", [isService ? "durable" : variant], env);
  const { grpc } = JSON.parse(server.line);
  const transport = createMeshTransport({
    addresses: grpc,
    interceptors: [benchCaller(randomUUID()), assertedAs("gateway")],
  });
  const { pipelineId, runId } = isService ? await newRun(transport) : { pipelineId: "", runId: randomUUID() };
  const address = { runId, jobName: "train", attachmentId: randomUUID() };
  if (isService) await attach(transport, address);
  return { variant, process: server, transport, pipelineId, address, counter: 0 };
}

async function newRun(transport: Transport): Promise<{ pipelineId: string; runId: string }> {
  const runs = createClient(RunService, transport);
  const { pipeline } = await runs.createPipeline({ name: "bench" });
  const pipelineId = pipeline?.id ?? "";
  const { run } = await runs.createRun({ pipelineId, name: "bench", jobs: [{ name: "train" }] });
  return { pipelineId, runId: run?.id ?? "" };
}

async function attach(transport: Transport, address: Stream["address"]): Promise<void> {
  const trainers = createClient(TrainerService, transport);
  await trainers.attach(address)[Symbol.asyncIterator]().next();
  await trainers.reportJobState({ ...address, state: JobState.RUNNING });
}

function batchOf(stream: Stream): ReportRequest {
  const counter = ++stream.counter;
  const each = pointCount / metricCount;
  const columns = Array.from({ length: metricCount }, (_, metric) => ({
    name: `layer${metric}/loss`,
    steps: Array.from({ length: each }, (_, index) => counter * each + index),
    values: Array.from({ length: each }, (_, index) => Math.sin(counter * each + index + metric)),
  }));
  return create(ReportRequestSchema, { ...stream.address, counter, columns });
}

/** Points a second, and microseconds of the server's processor a point. */
async function fill(stream: Stream, count: number): Promise<{ perSecond: number; cpu: number }> {
  const ready = Array.from({ length: count }, () => batchOf(stream));
  const before = cpuSeconds(stream.process.child.pid);
  const started = performance.now();
  await send(stream, ready);
  const seconds = (performance.now() - started) / 1_000;
  const cpu = cpuSeconds(stream.process.child.pid) - before;
  return { perSecond: (count * pointCount) / seconds, cpu: (cpu * 1e6) / (count * pointCount) };
}

async function send(
  { variant, transport, pipelineId, counter }: Stream,
  ready: readonly ReportRequest[],
): Promise<void> {
  const trainers = createClient(TrainerService, transport);
  if (variant === "one by one") {
    for (const { $typeName: _, ...batch } of ready) await trainers.sendReport({ ...batch, pipelineId });
    return;
  }
  for await (const { durableCounter } of trainers.report(from(ready))) if (durableCounter === counter) break;
}

async function* from<T>(items: readonly T[]): AsyncGenerator<T> {
  yield* items;
}

/** What one round of one stream showed. */
type Filled = Awaited<ReturnType<typeof fill>>;

function figuresOf(measured: ReadonlyMap<Variant, readonly Filled[]>): Figure[] {
  const of = (variant: Variant, what: keyof Filled) => (measured.get(variant) ?? []).map((filled) => filled[what]);
  const durable = { name: "durable ingest on a stream", unit: "points a second", values: of("durable", "perSecond") };
  return [
    { id: "ingest-memory", ...durable, floor: { name: "in memory only", values: of("memory", "perSecond") } },
    {
      id: "ingest-time-series",
      ...durable,
      floor: { name: "one time-series document a point", values: of("time-series", "perSecond") },
    },
    {
      id: "ingest-one-by-one",
      name: "durable ingest, each batch after the answer to the one before",
      unit: "points a second",
      values: of("one by one", "perSecond"),
      floor: { name: "on a stream", values: of("durable", "perSecond") },
    },
    ...variants.map((variant) => ({
      id: `ingest-cpu-${variant.replaceAll(" ", "-")}`,
      name: `CPU of the server a point, ${variant}`,
      unit: "µs",
      values: of(variant, "cpu"),
    })),
  ];
}

export const metricsIngest: Bench = {
  title: "Metric points made durable",
  async measure({ rounds, share }) {
    process.env["BENCH_KEY"] = benchKey();
    await using home = await mkdtempDisposable(join(tmpdir(), "metrics-ingest-"));
    await using parts = await startInfra({ directory: home.path });
    const ports = { HOST: "127.0.0.1", GRPC_PORT: "0", HTTP_PORT: "0", ADMIN_PORT: "0", LOG_LEVEL: "error" };
    const places = { MONGODB_URI: parts.mongodbUri, NATS_URL: parts.natsUrl, IDENTITY_ADDRESS: "127.0.0.1:1" };
    const env = { ...ports, ...places, ...serviceKeyFiles("training") };
    const streams: Stream[] = [];
    const measured = new Map<Variant, Filled[]>(variants.map((variant) => [variant, []]));
    try {
      for (const variant of variants) streams.push(await open(variant, env));
      for (let turn = -1; turn < rounds; turn += 1) {
        for (const stream of streams) {
          const count = Math.ceil((batches * share) / (stream.variant === "time-series" ? 8 : 1));
          const filled = await fill(stream, count);
          // The first turn warms up.
          if (turn >= 0) measured.get(stream.variant)?.push(filled);
        }
      }
    } finally {
      for (const { transport } of streams) transport.close();
      await Promise.all(streams.map(({ process: server }) => stopProcess(server)));
    }
    return figuresOf(measured);
  },
};

if (import.meta.main) await runBench(metricsIngest);

/**
 * What it costs to make reported points durable: the service's own stream against the same stream that only folds them
 * in memory, against the same batches sent one by one (`SendReport`, each after the answer to the one before), and against one
 * document per point in a time-series collection. Batches hold 1,000 points of 50 metrics;
 * variants take turns within each repetition, so that their ratios hold whatever else the machine does.
 *
 *     node services/training/bench/metrics-ingest.bench.ts [batches, default 400] [repetitions, default 5]
 */
import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
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
import { benchCaller, benchKey } from "./bench-caller.ts";
import { type BenchProcess, cpuSeconds, median, spread, startProcess, stopProcess } from "./bench-process.ts";

const pointCount = 1_000;
const metricCount = 50;
const variants = ["memory", "durable", "one by one", "time-series"] as const;
type Variant = (typeof variants)[number];

const batches = Number(process.argv[2] ?? 400);
const repetitions = Number(process.argv[3] ?? 5);
process.env["BENCH_KEY"] = benchKey();

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
  const before = await cpuSeconds(stream.process.child.pid);
  const started = performance.now();
  await send(stream, ready);
  const seconds = (performance.now() - started) / 1_000;
  const cpu = (await cpuSeconds(stream.process.child.pid)) - before;
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

const directory = await mkdtemp(join(tmpdir(), "metrics-ingest-"));
const parts = await startInfra({ directory });
const ports = { HOST: "127.0.0.1", GRPC_PORT: "0", HTTP_PORT: "0", ADMIN_PORT: "0", LOG_LEVEL: "error" };
const places = { MONGODB_URI: parts.mongodbUri, NATS_URL: parts.natsUrl, IDENTITY_ADDRESS: "127.0.0.1:1" };
const env = { ...ports, ...places, ...serviceKeyFiles("training") };
const streams = new Map<Variant, Stream>();
for (const variant of variants) streams.set(variant, await open(variant, env));
const measured = new Map(variants.map((variant) => [variant, { perSecond: [] as number[], cpu: [] as number[] }]));
for (let repetition = -1; repetition < repetitions; repetition++) {
  for (const [variant, stream] of streams) {
    const { perSecond, cpu } = await fill(stream, variant === "time-series" ? Math.ceil(batches / 8) : batches);
    // The first turn warms up.
    if (repetition >= 0) measured.get(variant)?.perSecond.push(perSecond);
    if (repetition >= 0) measured.get(variant)?.cpu.push(cpu);
  }
}
const figureOf = (variant: Variant) => measured.get(variant) ?? { perSecond: [], cpu: [] };
for (const variant of variants) {
  const { perSecond, cpu } = figureOf(variant);
  console.log(`${variant.padEnd(12)} ${spread(perSecond, 0)} points/s   ${spread(cpu)} µs of the server a point`);
}
const ratio = (over: Variant, under: Variant) =>
  spread(figureOf(over).perSecond.map((value, index) => value / (figureOf(under).perSecond[index] ?? Number.NaN)));
console.log(
  `durable / memory ${ratio("durable", "memory")}   durable / time-series ${ratio("durable", "time-series")}   ` +
    `one by one / durable ${ratio("one by one", "durable")}`,
);
console.log(`cpu: durable / memory ${(median(figureOf("durable").cpu) / median(figureOf("memory").cpu)).toFixed(2)}`);
for (const stream of streams.values()) {
  stream.transport.close();
  await stopProcess(stream.process);
}
await parts.stop();
await rm(directory, { recursive: true });

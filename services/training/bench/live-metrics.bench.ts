/**
 * What reading a run's live metrics costs as its history grows: the default query over the mesh transport, rendered and compressed by
 * the service, and not compressed, each against the same bytes passed by plain `node:http`; the CPU time of client and server together;
 * the same with every series changed since the last read; and the first read of a replica that has never seen the run and folds it from
 * the database. Fifty metrics; both servers in processes of their own.
 *
 *     node services/training/bench/live-metrics.bench.ts [largest history, default 10000000] [reads, default 200]
 */
import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { Agent, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { RunMetricsService } from "@aiplatform/contract/aiplatform/training/v1/run_metrics";
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
import { median, spread } from "../../../bench/harness/figure.ts";
import { cpuSeconds } from "../../../bench/harness/processes.ts";
import { benchCaller, benchKey } from "./bench-caller.ts";
import { type BenchProcess, startProcess, stopProcess } from "./bench-process.ts";

const metricCount = 50;
const pointCount = 10_000;
const largest = Number(process.argv[2] ?? 10_000_000);
const reads = Number(process.argv[3] ?? 200);
process.env["BENCH_KEY"] = benchKey();
const organisationId = randomUUID();
const agent = new Agent({ keepAlive: true });

/** A run that is being filled. */
interface Filled {
  pipelineId: string;
  address: { runId: string; jobName: string; attachmentId: string };
  counter: number;
}

async function newRun(transport: Transport): Promise<Filled> {
  const runs = createClient(RunService, transport);
  const { pipeline } = await runs.createPipeline({ name: "bench" });
  const pipelineId = pipeline?.id ?? "";
  const { run } = await runs.createRun({ pipelineId, name: "bench", jobs: [{ name: "train" }] });
  const address = { runId: run?.id ?? "", jobName: "train", attachmentId: randomUUID() };
  const trainers = createClient(TrainerService, transport);
  await trainers.attach(address)[Symbol.asyncIterator]().next();
  await trainers.reportJobState({ ...address, state: JobState.RUNNING });
  return { pipelineId, address, counter: 0 };
}

async function fill(transport: Transport, run: Filled, points: number, inBatch: number): Promise<void> {
  const each = inBatch / metricCount;
  async function* batches(): AsyncGenerator<ReportRequest> {
    for (let sent = 0; sent < points; sent += inBatch) {
      const counter = ++run.counter;
      const steps = Array.from({ length: each }, (_, index) => counter * each + index);
      const columns = Array.from({ length: metricCount }, (_, metric) => ({
        name: `metric_${metric}`,
        steps,
        values: steps.map((step) => Math.sin(step / 1_000 + metric) + Math.random()),
      }));
      yield create(ReportRequestSchema, { ...run.address, counter, columns });
    }
  }
  const wanted = run.counter + Math.ceil(points / inBatch);
  for await (const answer of createClient(TrainerService, transport).report(batches()))
    if (answer.durableCounter === wanted) break;
}

/** As the gateway asks for a client that takes this encoding. */
async function read(transport: Transport, { pipelineId, address }: Filled, encoding: string): Promise<Uint8Array> {
  const asked = { pipelineId, runId: address.runId };
  const headers = { "transcoder-accept-encoding": encoding };
  const { rendered } = await createClient(RunMetricsService, transport).getRunMetrics(asked, { headers });
  return rendered?.data ?? new Uint8Array();
}

function http(port: number, method: string, body?: Uint8Array): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const call = request({ host: "127.0.0.1", port, method, agent }, (response) => resolve(buffer(response)));
    call.on("error", reject).end(body);
  });
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

/** Median milliseconds of some reads, and the microseconds of processor time of this process and the server for each. */
async function cost(server: BenchProcess, count: number, work: () => Promise<unknown>): Promise<Cost> {
  const spent = () => {
    const { user, system } = process.cpuUsage();
    return user + system + cpuSeconds(server.child.pid) * 1e6;
  };
  const before = spent();
  const each: number[] = [];
  for (let index = 0; index < count; index++) each.push(await timed(work));
  return { ms: median(each), cpu: (spent() - before) / count };
}

interface Cost {
  ms: number;
  cpu: number;
}

const directory = await mkdtemp(join(tmpdir(), "live-metrics-"));
const parts = await startInfra({ directory });
const ports = { HOST: "127.0.0.1", GRPC_PORT: "0", HTTP_PORT: "0", ADMIN_PORT: "0", LOG_LEVEL: "error" };
const places = { MONGODB_URI: parts.mongodbUri, NATS_URL: parts.natsUrl, IDENTITY_ADDRESS: "127.0.0.1:1" };
const env = { ...ports, ...places, ...serviceKeyFiles("training") };
const connect = (line: string) =>
  createMeshTransport({
    addresses: JSON.parse(line).grpc,
    interceptors: [benchCaller(organisationId), assertedAs("gateway")],
  });
const server = await startProcess("./report-server.ts", ["durable"], env);
const raw = await startProcess("./raw-server.ts", [], {});
const { port } = JSON.parse(raw.line);
const transport = connect(server.line);
const encodings = ["identity", "gzip"];
console.log(
  "  history  encoding     kB  read p50 ms          raw http p50 ms      ratio  CPU µs                  raw http CPU µs       ratio",
);
for (let points = 10_000; points <= largest; points *= 10) {
  const run = await newRun(transport);
  await fill(transport, run, points, Math.min(pointCount, points / 10));
  const other = await startProcess("./report-server.ts", ["durable"], env);
  const cold = connect(other.line);
  // Its connection and its code are warm; only the run is new to it.
  await read(cold, await newRun(cold), "gzip");
  const first = await timed(() => read(cold, run, "gzip"));
  cold.close();
  await stopProcess(other);
  for (const encoding of encodings) {
    const bytes = await read(transport, run, encoding);
    await http(port, "PUT", bytes);
    const rounds: { read: Cost; raw: Cost }[] = [];
    for (let round = 0; round < 5; round++) {
      rounds.push({
        read: await cost(server, reads / 5, () => read(transport, run, encoding)),
        raw: await cost(raw, reads / 5, () => http(port, "GET")),
      });
    }
    const ms = (name: "read" | "raw") => rounds.map((round) => round[name].ms);
    const cpu = (name: "read" | "raw") => rounds.map((round) => round[name].cpu);
    const figures = [
      String(points).padStart(9),
      encoding.padEnd(8),
      (bytes.length / 1_000).toFixed(0).padStart(5),
      spread(ms("read")).padEnd(19),
      spread(ms("raw")).padEnd(19),
      (median(ms("read")) / median(ms("raw"))).toFixed(2).padStart(5),
      spread(cpu("read"), 0).padEnd(22),
      spread(cpu("raw"), 0).padEnd(20),
      (median(cpu("read")) / median(cpu("raw"))).toFixed(2).padStart(5),
    ];
    console.log(figures.join("  "));
  }
  const changed: number[] = [];
  for (let round = 0; round < 20; round++) {
    await fill(transport, run, metricCount * 10, metricCount * 10);
    changed.push(await timed(() => read(transport, run, "gzip")));
  }
  const after = `after a change of all series, compressed: p50 ${median(changed).toFixed(2)} ms`;
  console.log(`${String(points).padStart(9)}  ${after}; first read of a new replica: ${first.toFixed(0)} ms`);
}
transport.close();
agent.destroy();
await stopProcess(server);
await stopProcess(raw);
await parts.stop();
await rm(directory, { recursive: true });

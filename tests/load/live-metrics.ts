import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { LocalPlatform } from "@aiplatform/local-platform";
import type { Transport } from "@connectrpc/connect";
import type { Effort } from "../../bench/harness/bench.ts";
import { type Figure, percentile } from "../../bench/harness/figure.ts";
import { cpuSeconds } from "../../bench/harness/processes.ts";
import { type Round, round } from "../../bench/harness/rounds.ts";
import { httpClient } from "./http-client.ts";
import type { Job } from "./run-with-jobs.ts";
import { attachTrainer } from "./trainer-stream.ts";

const series = 50;
const pointsPerColumn = 20;

/** Durable ingest in points a second, then operation 8 over the history that this left. */
export async function measureLiveMetrics(
  platform: LocalPlatform,
  { transport, job }: { transport: Transport; job: Job },
  { rounds, share }: Effort,
): Promise<Figure[]> {
  const trainer = await attachTrainer(transport, platform.description.api_key, job);
  const batches = 100 * share;
  const rates: number[] = [];
  const reads: Figure[] = [];
  let counter = 0;
  for (let turn = 0; turn < rounds; turn += 1) {
    const from = counter;
    const started = performance.now();
    for await (const { durableCounter } of trainer.trainers.report(
      batchesOf(trainer.address, from, batches),
      trainer.options,
    )) {
      counter = durableCounter;
      if (counter === from + batches) break;
    }
    rates.push((batches * series * pointsPerColumn) / ((performance.now() - started) / 1_000));
    if (turn === 0)
      reads.push(
        ...(await measureReads(platform, { job, points: counter * series * pointsPerColumn }, { rounds, share })),
      );
  }
  const overHttp = await measureHttpReports(
    platform,
    { job, address: trainer.address, from: counter },
    { rounds, share },
  );
  await trainer.close();
  const unit = "points per second";
  return [
    ...reads,
    { id: "ingest-stream", name: "metric points made durable on a gRPC stream", unit, values: rates },
    { id: "ingest-http", name: "metric points made durable over HTTP, one by one", unit, values: overHttp },
  ];
}

async function measureHttpReports(
  platform: LocalPlatform,
  { job, address, from }: { job: Job; address: { attachmentId: string }; from: number },
  { rounds, share }: Effort,
): Promise<number[]> {
  const http = httpClient(platform.description.gateway, platform.description.api_key);
  const path = `/platform/pipelines/${job.pipelineId}/runs/${job.runId}/jobs/${job.name}/reports`;
  const batches = 100 * share;
  const rates: number[] = [];
  let counter = from;
  for (let turn = 0; turn < rounds; turn += 1) {
    const started = performance.now();
    for (let sent = 0; sent < batches; sent += 1) {
      counter += 1;
      const body = { attachment_id: address.attachmentId, counter, columns: columnsOf(counter) };
      const { status, text } = await http.send("POST", path, JSON.stringify(body));
      if (status !== 200) throw new Error(`a report was answered ${status}: ${text}`);
    }
    rates.push((batches * series * pointsPerColumn) / ((performance.now() - started) / 1_000));
  }
  http.close();
  return rates;
}

function columnsOf(counter: number) {
  const first = (counter - 1) * pointsPerColumn;
  const steps = Array.from({ length: pointsPerColumn }, (_, offset) => first + offset + 1);
  const observed_at_ms = Date.now();
  return Array.from({ length: series }, (_, metric) => ({
    name: `metric_${metric}`,
    steps,
    values: steps.map((step) => Math.sin(step / (metric + 1))),
    observed_at_ms,
  }));
}

async function* batchesOf(
  address: { runId: string; jobName: string; attachmentId: string },
  from: number,
  count: number,
) {
  for (let index = 1; index <= count; index += 1) {
    const columns = columnsOf(from + index).map(({ observed_at_ms: observedAtMs, ...column }) => ({
      ...column,
      observedAtMs,
    }));
    yield { ...address, counter: from + index, segmentIndex: 0, columns };
  }
}

/** How a client reads. */
const readers: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  whole: {},
  compressed: { "accept-encoding": "gzip, br" },
};

async function measureReads(
  platform: LocalPlatform,
  { job, points }: { job: Job; points: number },
  { rounds: turns, share }: Effort,
): Promise<Figure[]> {
  const http = httpClient(platform.description.gateway, platform.description.api_key);
  const path = `/pipelines/${job.pipelineId}/runs/${job.runId}/metrics/?job_name=${job.name}`;
  const { status, text, headers } = await http.send("GET", path);
  if (status !== 200) throw new Error(`operation 8 answered ${status}: ${text}`);
  const raw = createServer((_, response) => response.writeHead(200, { "content-length": text.length }).end(text));
  await new Promise<void>((resolve) => raw.listen(0, "127.0.0.1", resolve));
  const direct = httpClient(`http://127.0.0.1:${(raw.address() as AddressInfo).port}`, "");
  const count = 200 * share;
  const known = { "if-none-match": headers.etag ?? "" };
  const read = (sent: Readonly<Record<string, string>>) =>
    withCpu(platform, count, () => round(count, 1, () => http.send("GET", path, undefined, sent)));
  const cases = { ...readers, unchanged: known };
  const reads = new Map(Object.keys(cases).map((name) => [name, [] as (Round & Cpu)[]]));
  const raws: Round[] = [];
  for (let turn = 0; turn < turns; turn += 1) {
    for (const [name, sent] of Object.entries(cases)) reads.get(name)?.push(await read(sent));
    raws.push(await round(count, 1, () => direct.send("GET", "/")));
  }
  http.close();
  direct.close();
  raw.close();
  const p50 = (one: Round) => percentile(one.latencies, 0.5);
  const floor = { name: `${text.length.toLocaleString("en")} bytes over raw HTTP`, values: raws.map(p50) };
  const history = `${points.toLocaleString("en")} points`;
  return [...reads].flatMap(([name, rounds]): Figure[] => [
    {
      id: name === "whole" ? "live-metrics-p50" : `live-metrics-p50-${name}`,
      name: `operation 8, ${name}, of ${history}`,
      unit: "ms",
      values: rounds.map(p50),
      ...(name === "whole" && { floor }),
    },
    ...(["gateway", "training"] as const).map((service) => ({
      id: `live-metrics-cpu-${service}-${name}`,
      name: `CPU of ${service}, ${name}`,
      unit: "µs",
      values: rounds.map((round) => round[service]),
    })),
  ]);
}

/** Microseconds of processor time an operation. */
interface Cpu {
  gateway: number;
  training: number;
}

async function withCpu(platform: LocalPlatform, count: number, work: () => Promise<Round>): Promise<Round & Cpu> {
  const seconds = (name: string) => cpuSeconds(platform.processes.get(name)?.pid);
  const before = [seconds("gateway"), seconds("training")] as const;
  const done = await work();
  const [gateway, training] = [seconds("gateway"), seconds("training")];
  const each = (spent: number) => (spent * 1e6) / count;
  return { ...done, gateway: each(gateway - before[0]), training: each(training - before[1]) };
}

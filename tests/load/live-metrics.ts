import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { LocalPlatform } from "@aiplatform/local-platform";
import type { Transport } from "@connectrpc/connect";
import { httpClient } from "./http-client.ts";
import { type Effort, interleaved, percentile, printTable, type Round, round, spread } from "./measure.ts";
import type { Job } from "./run-with-jobs.ts";
import { attachTrainer } from "./trainer-stream.ts";

const series = 50;
const pointsPerColumn = 20;

/** Durable ingest in points a second, then operation 8 over the history that this left. */
export async function measureLiveMetrics(
  platform: LocalPlatform,
  { transport, job }: { transport: Transport; job: Job },
  { rounds, share }: Effort,
): Promise<void> {
  const trainer = await attachTrainer(transport, platform.description.api_key, job);
  const batches = 100 * share;
  const rates: number[] = [];
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
      await measureReads(platform, { job, points: counter * series * pointsPerColumn }, { rounds, share });
  }
  await trainer.close();
  printTable(
    "Metric points made durable, batches of 1,000 points over gRPC",
    ["", "points per second"],
    [["ingest", spread(rates, 0)]],
  );
}

async function* batchesOf(
  address: { runId: string; jobName: string; attachmentId: string },
  from: number,
  count: number,
) {
  for (let index = 1; index <= count; index += 1) {
    const first = (from + index - 1) * pointsPerColumn;
    const steps = Array.from({ length: pointsPerColumn }, (_, offset) => first + offset + 1);
    const columns = Array.from({ length: series }, (_, metric) => ({
      name: `metric_${metric}`,
      steps,
      values: steps.map((step) => Math.sin(step / (metric + 1))),
      observedAtMs: Date.now(),
    }));
    yield { ...address, counter: from + index, segmentIndex: 0, columns };
  }
}

async function measureReads(
  platform: LocalPlatform,
  { job, points }: { job: Job; points: number },
  { rounds: turns, share }: Effort,
): Promise<void> {
  const http = httpClient(platform.description.gateway, platform.description.api_key);
  const path = `/pipelines/${job.pipelineId}/runs/${job.runId}/metrics/?job_name=${job.name}`;
  const { status, text } = await http.send("GET", path);
  if (status !== 200) throw new Error(`operation 8 answered ${status}: ${text}`);
  const raw = createServer((_, response) => response.writeHead(200, { "content-length": text.length }).end(text));
  await new Promise<void>((resolve) => raw.listen(0, "127.0.0.1", resolve));
  const direct = httpClient(`http://127.0.0.1:${(raw.address() as AddressInfo).port}`, "");
  const rounds = await interleaved(turns, {
    operation: () => round(200 * share, 1, () => http.send("GET", path)),
    raw: () => round(200 * share, 1, () => direct.send("GET", "/")),
  });
  http.close();
  direct.close();
  raw.close();
  const p50 = (one: Round) => percentile(one.latencies, 0.5);
  printTable(
    `Operation 8, default query, a history of ${points.toLocaleString("en")} points, answer of ${text.length.toLocaleString("en")} bytes`,
    ["", "p50 ms at 1"],
    [
      ["operation 8", spread(rounds.operation.map(p50))],
      ["the same bytes over raw HTTP", spread(rounds.raw.map(p50))],
      ["ratio", spread(rounds.operation.map((one, index) => p50(one) / p50(rounds.raw[index] as Round)))],
    ],
  );
}

/**
 * What an event costs the process that answers it: on a connection of its own, and over one that ten streams share. Readers are in a
 * thread of their own, whose work is not counted.
 *
 *     node services/gateway/bench/several-streams.bench.ts [--rounds 5]
 */
import { once } from "node:events";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import { StreamService } from "@aiplatform/contract/aiplatform/gateway/v1/streams";
import { RunMetricsService } from "@aiplatform/contract/aiplatform/training/v1/run_metrics";
import { callerFromImplementations, createTranscoder } from "@aiplatform/transcoder";
import { type Bench, runBench } from "../../../bench/harness/bench.ts";
import { interleaved } from "../../../bench/harness/rounds.ts";

const streams = 10;
const wholeRound = 3_000;
const id = "019c6b7e-23bf-70d2-a44a-4cb62c85fc3a";
const path = `/platform/pipelines/${id}/runs/${id}/metrics/stream`;

/** What the reading thread is asked: streams of so many events each, on connections of their own or over one. */
interface Reading {
  readonly port: number;
  readonly events: number;
  readonly isShared: boolean;
}

export const severalStreams: Bench = {
  title: `An event of ${streams} streams`,
  async measure({ rounds, share }) {
    const events = Math.ceil(wholeRound * share);
    const server = createServer(serve(events));
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    const worker = new Worker(new URL(import.meta.url), { workerData: { reads: true } });
    const cpuOf = (isShared: boolean) => async () => {
      const before = process.threadCpuUsage();
      const reading: Reading = { port, events, isShared };
      worker.postMessage(reading);
      await once(worker, "message");
      const { user, system } = process.threadCpuUsage(before);
      return (user + system) / (events * streams);
    };
    const variants = { "on ten connections": cpuOf(false), "over one connection": cpuOf(true) };
    for (const measure of Object.values(variants)) await measure();
    const measured = await interleaved(rounds, variants);
    await worker.terminate();
    server.close();
    return Object.entries(measured).map(([name, values]) => ({
      ...{ id: name.replaceAll(" ", "-"), name, unit: "µs of CPU", values },
    }));
  },
};

/** A transcoder whose streams have so many events, one in each turn of the event loop. */
function serve(events: number): Parameters<typeof createServer>[1] {
  const points = { steps: [1, 2, 3], values: [0.5, 0.25, 0.125], segments: [0, 0, 0], sampled: false };
  const series = Object.fromEntries(Array.from({ length: 8 }, (_, index) => [`metric_${index}`, points]));
  const json = (value: object) => ({ utf8: new TextEncoder().encode(JSON.stringify(value)) });
  const parts = {
    metrics: json({}),
    series: json(series),
    primaryMetric: json({}),
    resources: json({}),
    lifecycle: {},
  };
  const call = callerFromImplementations(({ service }) =>
    service(RunMetricsService, {
      async *watchRunMetrics() {
        for (let sequence = 1; sequence <= events; sequence += 1) {
          yield { metrics: { ...parts, status: "running", sequence } };
          await new Promise(setImmediate);
        }
      },
    }),
  );
  const transcoder = createTranscoder({ services: [RunMetricsService, StreamService], call });
  return (incoming, response) => void transcoder.handle(incoming, response);
}

/** Reads a whole answer. */
async function read(port: number, options: { method: string; path: string }, body?: string): Promise<void> {
  const headers = { accept: "text/event-stream", "content-type": "application/json" };
  const sent = request({ port, host: "127.0.0.1", headers, ...options });
  sent.end(body);
  const [response] = await once(sent, "response");
  await once(response.resume(), "end");
}

async function readAll({ port, isShared }: Reading): Promise<void> {
  const each = Array.from({ length: streams }, () => ({ path }));
  if (isShared) await read(port, { method: "POST", path: "/platform/streams" }, JSON.stringify({ streams: each }));
  else await Promise.all(each.map(() => read(port, { method: "GET", path })));
}

if (!isMainThread && workerData?.reads) {
  parentPort?.on("message", async (reading: Reading) => {
    await readAll(reading);
    parentPort?.postMessage("done");
  });
} else if (import.meta.main) await runBench(severalStreams);

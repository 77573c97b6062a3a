/**
 * Our platform beside an MLflow tracking server with SQLite, as it starts without options: a durable command and `log-metric`, points over
 * HTTP and `log-batch`, operation 8 of 100,000 points and the history of one metric of 2,000. One client, in turns.
 *
 *     npm run bench:peers -- --rows 10
 */
import { randomUUID } from "node:crypto";
import { mkdtempDisposable } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { attachTrainer } from "../../tests/load/trainer-stream.ts";
import { type Bench, runBench } from "../harness/bench.ts";
import { type Comparison, compared } from "./compared.ts";
import { type OurSide, type Send, sender, startOurSide } from "./our-side.ts";
import { type Peer, startPeer } from "./peer-server.ts";

const [series, pointsOfASeries] = [50, 20];
const pointsOfABatch = series * pointsOfASeries;
const ourHistory = 100_000 / pointsOfABatch;
const peerHistory = 2_000;

const mlflow: Peer = {
  name: "mlflow",
  // Its connections would end while the other side is measured.
  args: (port) => [
    ...["mlflow", "server", "--port", `${port}`, "--backend-store-uri", "sqlite:///mlflow.sqlite"],
    ...["--uvicorn-opts", "--timeout-keep-alive 600"],
  ],
  env: { MLFLOW_DISABLE_TELEMETRY: "true" },
  healthPath: "/health",
};

const pointOf = (step: number) => Math.sin(step / 10);

/** Reports of 1,000 points, the next of which the server waits for. */
async function reporter({ transport, apiKey, quietJob, send }: OurSide, stack: AsyncDisposableStack) {
  const trainer = await attachTrainer(transport, apiKey, quietJob);
  stack.defer(() => trainer.close());
  const { pipelineId, runId, name } = quietJob;
  let counter = 0;
  return () => {
    counter += 1;
    const steps = Array.from({ length: pointsOfASeries }, (_, at) => (counter - 1) * pointsOfASeries + at + 1);
    const columns = Array.from({ length: series }, (_, at) => ({
      ...{ name: `metric_${at}`, steps, values: steps.map(pointOf), observed_at_ms: Date.now() },
    }));
    const body = { attachment_id: trainer.address.attachmentId, counter, columns };
    return send("POST", `/platform/pipelines/${pipelineId}/runs/${runId}/jobs/${name}/reports`, JSON.stringify(body));
  };
}

/** A run of MLflow, and what is asked of it. */
async function mlflowRun(send: Send) {
  const api = "/api/2.0/mlflow";
  const start = { experiment_id: "0", start_time: Date.now() };
  const { run } = JSON.parse((await send("POST", `${api}/runs/create`, JSON.stringify(start))).toString());
  const run_id: string = run.info.run_id;
  let step = 0;
  const metric = (key: string, at: number) => ({ key, value: pointOf(at), timestamp: Date.now(), step: at });
  return {
    logMetric: () => send("POST", `${api}/runs/log-metric`, JSON.stringify({ run_id, ...metric("loss", ++step) })),
    logBatch: (key?: string) => {
      step += 1;
      const names = Array.from({ length: pointsOfABatch }, (_, at) => key ?? `metric_${at % series}`);
      const metrics = names.map((name, at) => metric(name, step * pointsOfABatch + at));
      return send("POST", `${api}/runs/log-batch`, JSON.stringify({ run_id, metrics }));
    },
    history: (key: string) => send("GET", `${api}/metrics/get-history?run_id=${run_id}&metric_key=${key}`),
  };
}

async function comparisons(stack: AsyncDisposableStack): Promise<Comparison[]> {
  const ours = await startOurSide(stack);
  const home = stack.use(await mkdtempDisposable(join(tmpdir(), "mlflow-")));
  const { url } = stack.use(await startPeer(mlflow, { directory: home.path }));
  const run = await mlflowRun(sender(url, { stack }));
  const report = await reporter(ours, stack);
  for (let batch = 0; batch < ourHistory; batch += 1) await report();
  const curve = `curve-${randomUUID()}`;
  for (let point = 0; point < peerHistory; point += pointsOfABatch) await run.logBatch(curve);
  const { pipelineId, runId, name } = ours.quietJob;
  const read = () => ours.send("GET", `/pipelines/${pipelineId}/runs/${runId}/metrics/?job_name=${name}`);
  const metric = { name: "MLflow's log-metric", call: run.logMetric };
  const batch = { name: "MLflow's log-batch", call: () => run.logBatch() };
  const history = { name: "MLflow's history of 2,000 points", call: () => run.history(curve) };
  const points = { name: "points", ofACall: pointsOfABatch };
  return [
    {
      id: "mlflow-command-1",
      name: "commands at 1",
      callers: 1,
      ours: { calls: 200, call: ours.command },
      peer: { calls: 40, ...metric },
    },
    {
      id: "mlflow-command-32",
      name: "commands at 32",
      callers: 32,
      ours: { calls: 2_000, call: ours.command },
      peer: { calls: 160, ...metric },
    },
    {
      id: "mlflow-points",
      name: "points over HTTP at 1",
      callers: 1,
      unit: points,
      ours: { calls: 60, call: report },
      peer: { calls: 6, ...batch },
    },
    {
      id: "mlflow-read-1",
      name: "live reads at 1",
      callers: 1,
      ours: { calls: 100, call: read },
      peer: { calls: 16, ...history },
    },
    {
      id: "mlflow-read-8",
      name: "live reads at 8",
      callers: 8,
      ours: { calls: 200, call: read },
      peer: { calls: 32, ...history },
    },
  ];
}

export const mlflowPeer: Bench = {
  title: "The MLflow tracking server at the same work",
  async measure(effort) {
    await using stack = new AsyncDisposableStack();
    const figures = [];
    for (const comparison of await comparisons(stack)) figures.push(await compared(comparison, effort));
    return figures;
  },
};

if (import.meta.main) await runBench(mlflowPeer);

import { randomUUID } from "node:crypto";
import { RunService } from "@aiplatform/contract/aiplatform/training/v1/runs";
import { mnistJob } from "@aiplatform/mnist-trainer";
import { createClient } from "@connectrpc/connect";
import { createConnectTransport } from "@connectrpc/connect-node";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ask, commandApplied, type Json, type Reachable, until } from "../mesh/rest.ts";
import { install, makeOrganisation, nodeImage, services } from "./installation.ts";
import { apply, cluster, forward, installer, kubectl, platformNamespace } from "./kubernetes.ts";
import { endOfPod, Load, makeTestNamespace, removeTestNamespace, startPod } from "./load.ts";
import type { LoadReport } from "./load-generator.ts";
import { startTrainer } from "./trainer.ts";
import { provideVolumes } from "./volumes.ts";

const rate = Number(process.env["LOAD_RATE"] ?? 20);
const jobs = ["one", "two", "three", "four"];
const installsWithinMs = 900_000;

let reachable: Reachable;
let trained: Reachable;
let load: Load;
const rows: string[] = [];
const parts = new AsyncDisposableStack();

/** A run to be asked for by the load, and one for a trainer. */
async function makeRuns(key: string): Promise<{ pipelineId: string; runId: string; trainedRunId: string }> {
  await using training = await forward("training", 8_080);
  const baseUrl = `http://${training.address}`;
  const runs = createClient(RunService, createConnectTransport({ baseUrl, httpVersion: "1.1" }));
  const options = { headers: { authorization: `Bearer ${key}` } };
  const { pipeline } = await runs.createPipeline({ name: "cluster" }, options);
  const pipelineId = pipeline?.id ?? "";
  const declared = jobs.map((name) => ({ name, primaryMetric: "loss", primaryMetricGoal: 2 }));
  const { run } = await runs.createRun({ pipelineId, name: "under load", jobs: declared }, options);
  const trained = await runs.createRun({ pipelineId, name: "trained", jobs: [mnistJob] }, options);
  return { pipelineId, runId: run?.id ?? "", trainedRunId: trained.run?.id ?? "" };
}

/** What the platform's pods are. */
async function pods(): Promise<Json[]> {
  const list = await cluster.read<Json>(["--namespace", platformNamespace, "get", "pods"]);
  return list?.items ?? [];
}

/** Does something while the load goes on, and answers what that became of in the meantime. */
async function underLoad(what: string, act: () => Promise<unknown>): Promise<{ failed: number; failures: Json[] }> {
  const before = await load.goOn(2 * rate);
  const started = performance.now();
  await act();
  const seconds = (performance.now() - started) / 1_000;
  const after = await load.goOn(3 * rate);
  const failed = after.failed - before.failed;
  rows.push(row(what, seconds, before, after));
  return { failed, failures: failed > 0 ? after.failures.slice(-failed) : [] };
}

function row(what: string, seconds: number, before: LoadReport, after: LoadReport): string {
  const [requests, commands, failed] = [
    after.sent - before.sent,
    after.acknowledged - before.acknowledged,
    after.failed - before.failed,
  ];
  return `| ${what} | ${seconds.toFixed(1)} s | ${requests} | ${commands} | ${failed} |`;
}

async function rollOut(service: string): Promise<void> {
  await kubectl("rollout", "restart", `deployment/${service}`);
  await kubectl("rollout", "status", `deployment/${service}`, "--timeout=240s");
}

beforeAll(async () => {
  await provideVolumes();
  await makeTestNamespace();
  parts.defer(removeTestNamespace);
  await install("overlay");
  const key = await makeOrganisation();
  const { pipelineId, runId, trainedRunId } = await makeRuns(key);
  const gateway = parts.use(await forward("gateway", 8_080));
  const place = { pipeline_id: pipelineId, run_id: runId, job_name: "one" };
  reachable = { gateway: `http://${gateway.address}`, bearer: key, ...place };
  trained = { ...reachable, run_id: trainedRunId, job_name: mnistJob.name };
}, installsWithinMs);
afterAll(async () => await parts.disposeAsync(), 60_000);

describe("the platform on a cluster, as the install command leaves it", () => {
  it("is whole: every pod is ready, and none had to be started again", async () => {
    expect(await installer("status")).toEqual(expect.any(String));
    const restarts = (await pods()).flatMap(({ status }) =>
      status.containerStatuses.map(({ name, restartCount, ready }: Json) => ({ name, restartCount, ready })),
    );
    expect(restarts.map(({ name }) => name)).toEqual(expect.arrayContaining([...services, "mongodb", "nats"]));
    expect(restarts.filter(({ restartCount, ready }) => restartCount > 0 || !ready)).toEqual([]);
  });

  it("takes operation 1, and answers operation 8", async () => {
    const run = `/pipelines/${reachable.pipeline_id}/runs/${reachable.run_id}`;
    const command = { action: "pause", idempotency_key: randomUUID() };
    const taken = await ask(reachable, { path: `${run}/training/one/commands`, body: command });
    expect([taken.status, taken.body.status]).toEqual([201, "pending"]);
    const metrics = await ask(reachable, { path: `${run}/metrics/` });
    expect([metrics.status, metrics.body.status]).toEqual([200, expect.any(String)]);
  });

  it("answers predictions from pods of the serving namespace", async () => {
    const bundle = {
      schema_version: "serving.v1",
      name: "Doubles",
      runtime: { type: "prebuilt", value: "node" },
      interface: { input: { type: "object" }, output: { type: "object" } },
      artifacts: [{ name: "handler", path: "handler.mjs", kind: "file" }],
    };
    const content = "export default async ({ value }) => ({ twice: 2 * value });";
    const artifacts = [{ name: "handler", content, content_type: "text/javascript" }];
    const body = { name: "Doubles", serving_bundle: bundle, model_refs: [], artifacts };
    const { id, service_name } = (await ask(reachable, { path: "/deployments/custom-serving/", body })).body;
    const deployment = () => ask(reachable, { path: `/platform/deployments/${id}` });
    await until("the deployment to run", 150, deployment, (seen) => seen.body?.status === "Running");
    const path = `/platform/deployments/${id}/v2/models/${service_name}/infer`;
    const answer = await ask(reachable, { path, body: { input: { value: 21 } } });
    expect([answer.status, answer.body.output]).toEqual([200, { twice: 42 }]);
    await ask(reachable, { method: "DELETE", path: `/platform/deployments/${id}` });
  }, 240_000);
});

describe("the platform on a cluster, under a steady load of writes and reads", () => {
  beforeAll(async () => {
    const { bearer, pipeline_id, run_id } = reachable;
    const plan = { gateway: `http://gateway.${platformNamespace}:8080`, key: bearer, jobs, rate };
    load = await Load.start(nodeImage, { ...plan, pipelineId: pipeline_id, runId: run_id });
  }, 120_000);

  it.each(services)(
    "fails no request while %s is restarted",
    async (service) => {
      expect(await underLoad(`restart of ${service}`, () => rollOut(service))).toEqual({ failed: 0, failures: [] });
    },
    300_000,
  );

  it("has a trainer's commands applied, before a restart of training and after it", async () => {
    await using _trainer = await startTrainer({ key: reachable.bearer, runId: trained.run_id });
    await until(
      "the trainer to begin",
      120,
      // The way to the gateway has just ended with a pod.
      () =>
        ask(trained, { path: `/pipelines/${trained.pipeline_id}/runs/${trained.run_id}/metrics/` }).catch(
          () => undefined,
        ),
      (seen) => seen?.body?.status === "running",
    );
    expect(await commandApplied(trained, "pause")).toMatchObject({ status: "applied" });
    const restart = () => rollOut("training");
    expect(await underLoad("restart of training, trainer attached", restart)).toEqual({ failed: 0, failures: [] });
    expect(await commandApplied(trained, "resume")).toMatchObject({ status: "applied" });
  }, 480_000);

  it("fails none while a setting of every service is changed at once", async () => {
    expect(await underLoad("settings of all changed", () => install("changed-settings"))).toEqual({
      failed: 0,
      failures: [],
    });
  }, 600_000);

  it.each(["nats", "mongodb"])(
    "takes commands again after the only %s was killed",
    async (store) => {
      const kill = async () => {
        await kubectl("delete", "pod", `${store}-0`, "--grace-period=0", "--force");
        await kubectl("rollout", "status", `statefulset/${store}`, "--timeout=240s");
        const { acknowledged } = await load.report();
        await until(
          "commands to be taken",
          120,
          () => load.report(),
          (seen) => seen.acknowledged > acknowledged + rate,
        );
      };
      await underLoad(`${store} killed, the only one`, kill);
      expect((await underLoad(`after ${store} came back`, async () => {})).failed).toBe(0);
    },
    480_000,
  );

  it("has every command that it acknowledged", async () => {
    const { lost, found, acknowledged, slowestMs } = await load.finish();
    const table = ["| what | took | requests | commands acknowledged | failed |", "| --- | --- | --- | --- | --- |"];
    process.stdout.write(`${[...table, ...rows].join("\n")}\n`);
    process.stdout.write(`${acknowledged} commands acknowledged, ${found} found, slowest ${slowestMs} ms\n`);
    expect({ lost, found }).toEqual({ lost: 0, found: acknowledged });
  }, 180_000);
});

/** Node's one line that says whether a port answers. */
const knock = (host: string, port: number) =>
  `require("net").connect({ host: "${host}", port: ${port}, timeout: 5000 })
    .on("connect", () => { console.log("open"); process.exit(); })
    .on("timeout", () => { console.log("closed"); process.exit(); })
    .on("error", () => { console.log("closed"); process.exit(); })`;

describe("the network policies of the platform", () => {
  const listener = "require('net').createServer((socket) => socket.end()).listen(8080)";
  let isEnforced: boolean;

  beforeAll(async () => {
    const namespace = "aiplatform-test";
    const metadata = { name: "no-ingress", namespace };
    await startPod({
      name: "guarded",
      image: nodeImage,
      args: ["--eval", listener],
      labels: { "aiplatform-test": "guarded" },
    });
    const podSelector = { matchLabels: { "aiplatform-test": "guarded" } };
    await apply({
      apiVersion: "networking.k8s.io/v1",
      kind: "NetworkPolicy",
      metadata,
      spec: { podSelector, policyTypes: ["Ingress"] },
    });
    await cluster.run(["--namespace", namespace, "wait", "--for=condition=Ready", "pod/guarded", "--timeout=60s"]);
    const address = ["get", "pod", "guarded", "--output=jsonpath={.status.podIP}"];
    const ip = await cluster.run(["--namespace", namespace, ...address]);
    await startPod({ name: "asks-guarded", image: nodeImage, args: ["--eval", knock(ip, 8_080)] });
    isEnforced = (await endOfPod("asks-guarded")) === "closed";
    process.stdout.write(`the cluster ${isEnforced ? "enforces" : "does not enforce"} network policies\n`);
  }, 180_000);

  it("are enforced where the cluster enforces any: a stranger does not reach MongoDB", async () => {
    const script = knock(`mongodb.${platformNamespace}`, 27_017);
    await startPod({ name: "asks-mongodb", image: nodeImage, args: ["--eval", script] });
    expect(await endOfPod("asks-mongodb")).toBe(isEnforced ? "closed" : "open");
  }, 120_000);
});

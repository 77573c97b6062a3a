// A prediction of the MNIST model through the gateway against the same instance directly: p50 and p99 at concurrency 1,
// predictions/s at 64, interleaved. Then the time from POST to Running, and to an answer where no instance runs.
//   node services/deployments/bench/predictions.bench.ts [--rounds 5]
// With MLFLOW_PYTHON, a Python that has mlflow, onnx and onnxruntime, MLflow's own server answers in the same rounds.
import { randomUUID } from "node:crypto";
import { mkdtempDisposable, readFile } from "node:fs/promises";
import { Agent, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connectDocumentStore } from "@aiplatform/document-store";
import { type LocalPlatform, startPlatform } from "@aiplatform/local-platform";
import { DataKeyStore, readKeyRing, SealedSecrets } from "@aiplatform/sealed-secrets";
import { type Bench, type Effort, runBench } from "../../../bench/harness/bench.ts";
import { type Figure, percentile } from "../../../bench/harness/figure.ts";
import {
  request as ask,
  deployHandler,
  deployModel,
  digitOfHandler,
  inferPath,
  type JourneyPlace,
  reachesStatus,
  testImages,
} from "../../../tests/deployments/journey.ts";
import { type Json, until } from "../../../tests/mesh/rest.ts";
import { DeploymentVersionStore } from "../src/deployment-versions/deployment-version-store.ts";
import { InstanceTokens } from "../src/deployment-versions/instance-tokens.ts";
import { startMlflow } from "./mlflow-peer.ts";

const wholeRound = 400;
const concurrency = 64;

interface Way {
  readonly name: string;
  readonly url: string;
  readonly bearer: string;
  readonly body: Buffer;
}

const agent = new Agent({ keepAlive: true, maxSockets: concurrency });

function predict({ url, bearer, body }: Way): Promise<void> {
  const headers = {
    authorization: `Bearer ${bearer}`,
    "content-type": "application/json",
    "content-length": body.length,
  };
  return new Promise((resolve, reject) => {
    const asked = request(url, { method: "POST", agent, headers }, (answer) => {
      if (answer.statusCode !== 200) reject(new Error(`answered ${answer.statusCode}`));
      answer.resume().once("end", resolve).once("error", reject);
    });
    asked.once("error", reject).end(body);
  });
}

/** Milliseconds of each of so many predictions, one after the other. */
async function oneByOne(way: Way, calls: number): Promise<number[]> {
  const times: number[] = [];
  for (let call = 0; call < calls; call++) {
    const startedAt = performance.now();
    await predict(way);
    times.push(performance.now() - startedAt);
  }
  return times;
}

/** Predictions in a second, so many under way. */
async function atOnce(way: Way, calls: number): Promise<number> {
  const total = calls * 4;
  let begun = 0;
  const startedAt = performance.now();
  const caller = async () => {
    while (begun++ < total) await predict(way);
  };
  await Promise.all(Array.from({ length: concurrency }, caller));
  return total / ((performance.now() - startedAt) / 1_000);
}

/** The first way is what the others are compared with. */
async function compare(ways: readonly Way[], { rounds, share }: Effort): Promise<Figure[]> {
  const calls = Math.ceil(wholeRound * share);
  const seen = new Map(ways.map((way) => [way, { p50: [] as number[], p99: [] as number[], rate: [] as number[] }]));
  for (const way of ways) await oneByOne(way, calls);
  for (let round = 0; round < rounds; round++) {
    for (const [way, { p50, p99, rate }] of seen) {
      const times = await oneByOne(way, calls);
      p50.push(percentile(times, 0.5));
      p99.push(percentile(times, 0.99));
      rate.push(await atOnce(way, calls));
    }
  }
  const [direct, ...others] = seen;
  return others.flatMap(([{ name }, figures]) =>
    (["p50", "p99", "rate"] as const).map((what) => ({
      id: name === "gateway" ? `prediction-${what}` : `prediction-${what}-${name}`,
      name: `prediction, ${name}, ${what === "rate" ? `at ${concurrency}` : `${what} at 1`}`,
      unit: what === "rate" ? "a second" : "ms",
      values: figures[what],
      floor: { name: "the instance directly", values: direct?.[1][what] ?? [] },
    })),
  );
}

/** What the installation knows and tells no caller: where an instance is, and what it wants to see. */
async function directWay({ mongodbUri, directory }: LocalPlatform, deployment: Json): Promise<Omit<Way, "body">> {
  await using store = await connectDocumentStore({ uri: mongodbUri, database: "deployments", appName: "bench" });
  const found = await store.database.collection<Json>("deployments").findOne({ _id: deployment.id });
  if (!found) throw new Error("the deployment is not stored");
  const { url, versionId } = found["endpoints"][0];
  const keys = await readFile(join(directory, "secrets", "deployments-secrets-keys.json"), "utf8");
  const [ring, dataKeys] = [readKeyRing(keys), new DataKeyStore(store)];
  const secrets = new SealedSecrets({ ring, dataKeys, clock: () => new Date(), newId: randomUUID });
  const versions = new DeploymentVersionStore(store, new InstanceTokens({ secrets, storesClear: false }));
  const [version] = await versions.findServed(found["organisation_id"], [versionId]);
  return { name: "direct", url: `${url}/v2/models/${version?.modelName}/infer`, bearer: version?.token ?? "" };
}

async function timeRollouts(place: JourneyPlace, count: number): Promise<Figure> {
  const times: number[] = [];
  for (let made = 0; made < count; made++) {
    const startedAt = performance.now();
    const deployment = await deployModel(place);
    await reachesStatus(place, deployment.id, "Running");
    times.push(performance.now() - startedAt);
    await ask(place, `/platform/deployments/${deployment.id}`, undefined, "DELETE");
  }
  return { id: "rollout", name: "POST → Running, looked at every 50 ms", unit: "ms", values: times };
}

async function timeWakes(place: JourneyPlace, count: number): Promise<Figure> {
  const config = { min_instances: 0, max_instances: 1, idle_seconds: 1 };
  const deployment = await deployHandler(place, { config });
  await reachesStatus(place, deployment.id, "Running");
  const [image] = await testImages([0]);
  const times: number[] = [];
  for (let woke = 0; woke < count; woke++) {
    await until(
      "the deployment to sleep",
      60,
      async () => (await ask(place, `/platform/deployments/${deployment.id}/serving`)).body,
      (serving: Json) => !JSON.stringify(serving).includes('"ready"'),
    );
    const startedAt = performance.now();
    if (image) await digitOfHandler(place, deployment, image);
    times.push(performance.now() - startedAt);
  }
  return { id: "wake", name: "asleep → answer", unit: "ms", values: times };
}

async function measurePredictions(platform: LocalPlatform, effort: Effort): Promise<Figure[]> {
  const { gateway, api_key: bearer, model_id: modelId } = platform.description;
  const place = { gateway, bearer, modelId };
  const deployment = await deployModel(place);
  await reachesStatus(place, deployment.id, "Running");
  const [image] = await testImages([0]);
  const inputs = [{ name: "images", datatype: "FP32", shape: [1, 784], data: image?.pixels }];
  const body = Buffer.from(JSON.stringify({ inputs }));
  const direct = { ...(await directWay(platform, deployment)), body };
  const through = { name: "gateway", url: gateway + inferPath(deployment), bearer, body };
  const figures = await compareWithPeer([direct, through], { image, directory: platform.directory, effort });
  return [...figures, await timeRollouts(place, effort.rounds), await timeWakes(place, effort.rounds)];
}

interface PeerOptions {
  image: Awaited<ReturnType<typeof testImages>>[number] | undefined;
  directory: string;
  effort: Effort;
}

async function compareWithPeer(ways: readonly Way[], { image, directory, effort }: PeerOptions): Promise<Figure[]> {
  const python = process.env["MLFLOW_PYTHON"];
  if (!python) return compare(ways, effort);
  await using peer = await startMlflow(python, directory);
  const asked = Buffer.from(JSON.stringify({ inputs: { images: [image?.pixels] } }));
  return await compare([...ways, { name: "mlflow", url: peer.url, bearer: "", body: asked }], effort);
}

export const predictions: Bench = {
  title: "Predictions of the MNIST model",
  async measure(effort) {
    await using home = await mkdtempDisposable(join(tmpdir(), "predictions-bench-"));
    const settings = { gateway: { REQUESTS_PER_SECOND: "1000000" } };
    await using platform = await startPlatform({
      ...{ directory: home.path, trainer: false, model: true, separate: "all", settings },
    });
    try {
      return await measurePredictions(platform, effort);
    } finally {
      agent.destroy();
    }
  },
};

if (import.meta.main) await runBench(predictions);

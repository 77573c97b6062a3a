// A prediction of the MNIST model through the gateway against the same instance directly: p50 and p99 at concurrency 1,
// predictions/s at 64, interleaved. Then the time from POST to Running, and to an answer where no instance runs.
//   node services/deployments/bench/predictions.bench.ts [rounds=5] [calls=400]
// With MLFLOW_PYTHON, a Python that has mlflow, onnx and onnxruntime, MLflow's own server answers in the same rounds.
import { randomUUID } from "node:crypto";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { Agent, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connectDocumentStore } from "@aiplatform/document-store";
import { startPlatform } from "@aiplatform/local-platform";
import { DataKeyStore, readKeyRing, SealedSecrets } from "@aiplatform/sealed-secrets";
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

const [rounds = 5, calls = 400] = process.argv.slice(2).map(Number);
const concurrency = 64;
const deployments = 5;
const wakes = 5;

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
async function oneByOne(way: Way): Promise<number[]> {
  const times: number[] = [];
  for (let call = 0; call < calls; call++) {
    const startedAt = performance.now();
    await predict(way);
    times.push(performance.now() - startedAt);
  }
  return times;
}

/** Predictions in a second, so many under way. */
async function atOnce(way: Way): Promise<number> {
  const total = calls * 4;
  let begun = 0;
  const startedAt = performance.now();
  const caller = async () => {
    while (begun++ < total) await predict(way);
  };
  await Promise.all(Array.from({ length: concurrency }, caller));
  return total / ((performance.now() - startedAt) / 1_000);
}

function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
}

const middle = (values: readonly number[]) => quantile(values, 0.5);
const spread = (values: readonly number[], digits = 2) =>
  `${middle(values).toFixed(digits)} (${Math.min(...values).toFixed(digits)} to ${Math.max(...values).toFixed(digits)})`;

async function compare(ways: readonly Way[]): Promise<void> {
  const seen = new Map(ways.map((way) => [way, { p50: [] as number[], p99: [] as number[], rate: [] as number[] }]));
  for (const way of ways) await oneByOne(way);
  for (let round = 0; round < rounds; round++) {
    for (const [way, { p50, p99, rate }] of seen) {
      const times = await oneByOne(way);
      p50.push(quantile(times, 0.5));
      p99.push(quantile(times, 0.99));
      rate.push(await atOnce(way));
    }
  }
  console.log(`${"way".padEnd(10)}${"p50 ms".padEnd(24)}${"p99 ms".padEnd(24)}at ${concurrency}, 1/s`);
  for (const [{ name }, { p50, p99, rate }] of seen) {
    console.log(name.padEnd(10) + spread(p50).padEnd(24) + spread(p99).padEnd(24) + spread(rate, 0));
  }
  const [direct, gateway] = [...seen.values()];
  if (!direct || !gateway) return;
  const ratio = (name: "p50" | "p99" | "rate") => (middle(gateway[name]) / middle(direct[name])).toFixed(2);
  console.log(`gateway / direct: p50 ${ratio("p50")}, p99 ${ratio("p99")}, rate ${ratio("rate")}`);
}

/** What the installation knows and tells no caller: where an instance is, and what it wants to see. */
async function directWay(mongodbUri: string, deployment: Json): Promise<Omit<Way, "body">> {
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

async function timeRollouts(place: JourneyPlace): Promise<void> {
  const times: number[] = [];
  for (let made = 0; made < deployments; made++) {
    const startedAt = performance.now();
    const deployment = await deployModel(place);
    await reachesStatus(place, deployment.id, "Running");
    times.push(performance.now() - startedAt);
    await ask(place, `/platform/deployments/${deployment.id}`, undefined, "DELETE");
  }
  console.log(`POST → Running: ${spread(times, 0)} ms, looked at every 50 ms`);
}

async function timeWakes(place: JourneyPlace): Promise<void> {
  const config = { min_instances: 0, max_instances: 1, idle_seconds: 1 };
  const deployment = await deployHandler(place, { config });
  await reachesStatus(place, deployment.id, "Running");
  const [image] = await testImages([0]);
  if (!image) return;
  const times: number[] = [];
  for (let woke = 0; woke < wakes; woke++) {
    await until(
      "the deployment to sleep",
      60,
      async () => (await ask(place, `/platform/deployments/${deployment.id}/serving`)).body,
      (serving: Json) => !JSON.stringify(serving).includes('"ready"'),
    );
    const startedAt = performance.now();
    await digitOfHandler(place, deployment, image);
    times.push(performance.now() - startedAt);
  }
  console.log(`asleep → answer: ${spread(times, 0)} ms`);
}

const directory = await mkdtemp(join(tmpdir(), "predictions-bench-"));
try {
  await using platform = await startPlatform({
    directory,
    trainer: false,
    model: true,
    separate: "all",
    settings: { gateway: { REQUESTS_PER_SECOND: "1000000" } },
  });
  const { gateway, api_key: bearer, model_id: modelId } = platform.description;
  const place = { gateway, bearer, modelId };
  const deployment = await deployModel(place);
  await reachesStatus(place, deployment.id, "Running");
  const [image] = await testImages([0]);
  const inputs = [{ name: "images", datatype: "FP32", shape: [1, 784], data: image?.pixels }];
  const body = Buffer.from(JSON.stringify({ inputs }));
  const direct = { ...(await directWay(platform.mongodbUri, deployment)), body };
  const through = { name: "gateway", url: gateway + inferPath(deployment), bearer, body };
  const python = process.env["MLFLOW_PYTHON"];
  if (python) {
    await using peer = await startMlflow(python, directory);
    const asked = Buffer.from(JSON.stringify({ inputs: { images: [image?.pixels] } }));
    await compare([direct, through, { name: "mlflow", url: peer.url, bearer: "", body: asked }]);
  } else await compare([direct, through]);
  await timeRollouts(place);
  await timeWakes(place);
} finally {
  agent.destroy();
  await rm(directory, { recursive: true, force: true });
}

import { randomUUID } from "node:crypto";
import type { LocalPlatform } from "@aiplatform/local-platform";
import { MongoClient } from "mongodb";
import type { Effort } from "../../bench/harness/bench.ts";
import { type Figure, percentile } from "../../bench/harness/figure.ts";
import { interleaved, perSecond, type Round, round } from "../../bench/harness/rounds.ts";
import { httpClient } from "./http-client.ts";
import type { Job } from "./run-with-jobs.ts";

/** Operation 1 through the whole mesh beside one direct insert of the same durability, in the same run. */
export async function measureCommands(
  platform: LocalPlatform,
  jobs: readonly Job[],
  { rounds, share }: Effort,
): Promise<Figure[]> {
  const mongo = await MongoClient.connect(platform.mongodbUri, { writeConcern: { w: "majority", journal: true } });
  const inserts = mongo.db(`load_${process.pid}`).collection("inserts");
  const http = httpClient(platform.description.gateway, platform.description.api_key);
  const post = async (index: number) => {
    const { pipelineId, runId, name } = jobs[index % jobs.length] as Job;
    const path = `/pipelines/${pipelineId}/runs/${runId}/training/${name}/commands`;
    const body = `{"action":"pause","idempotency_key":"${randomUUID()}"}`;
    const { status, text } = await http.send("POST", path, body);
    if (status !== 201) throw new Error(`operation 1 answered ${status}: ${text}`);
  };
  const insert = () => inserts.insertOne({ action: "pause", idempotency_key: randomUUID(), created_at: new Date() });

  await round(500 * share, 16, post);
  await round(500 * share, 16, insert);
  const alone = await interleaved(rounds, {
    mesh: () => round(300 * share, 1, post),
    insert: () => round(300 * share, 1, insert),
  });
  const crowd = await interleaved(rounds, {
    mesh: () => round(4_000 * share, 64, post),
    insert: () => round(4_000 * share, 64, insert),
  });
  http.close();
  await mongo.db(`load_${process.pid}`).dropDatabase();
  await mongo.close();
  const floor = "direct insert";
  const figure = (of: (one: Round) => number, { mesh, insert }: Pair) => ({
    values: mesh.map(of),
    floor: { name: floor, values: insert.map(of) },
  });
  return [
    { id: "command-p50", name: "operation 1, p50 at 1", unit: "ms", ...figure(at(0.5), alone) },
    { id: "command-p99", name: "operation 1, p99 at 1", unit: "ms", ...figure(at(0.99), alone) },
    { id: "command-rate", name: "operation 1 at 64", unit: "per second", ...figure(perSecond, crowd) },
    { id: "command-p99-64", name: "operation 1, p99 at 64", unit: "ms", ...figure(at(0.99), crowd) },
  ];
}

const at = (share: number) => (one: Round) => percentile(one.latencies, share);

type Pair = { mesh: Round[]; insert: Round[] };

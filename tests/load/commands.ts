import { randomUUID } from "node:crypto";
import type { LocalPlatform } from "@aiplatform/local-platform";
import { MongoClient } from "mongodb";
import { httpClient } from "./http-client.ts";
import { type Effort, interleaved, percentile, printTable, type Round, round, spread } from "./measure.ts";
import type { Job } from "./run-with-jobs.ts";

/** Operation 1 through the whole mesh beside one direct insert of the same durability, in the same run. */
export async function measureCommands(
  platform: LocalPlatform,
  jobs: readonly Job[],
  { rounds, share }: Effort,
): Promise<void> {
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
  printTable(
    "Operation 1 (gateway → training → MongoDB → 201) beside a direct durable insert, rounds in turns: median [least-greatest]",
    ["", "p50 ms at 1", "p99 ms at 1", "per second at 64", "p99 ms at 64"],
    [
      ["operation 1", ...figures(alone.mesh, crowd.mesh)],
      ["direct insert", ...figures(alone.insert, crowd.insert)],
      ["ratio", ...ratios(alone, crowd)],
    ],
  );
  http.close();
  await mongo.db(`load_${process.pid}`).dropDatabase();
  await mongo.close();
}

const at = (share: number) => (one: Round) => percentile(one.latencies, share);
const perSecond = (one: Round) => one.latencies.length / one.seconds;

function figures(alone: Round[], crowd: Round[]): string[] {
  return [
    spread(alone.map(at(0.5))),
    spread(alone.map(at(0.99))),
    spread(crowd.map(perSecond), 0),
    spread(crowd.map(at(0.99))),
  ];
}

type Pair = { mesh: Round[]; insert: Round[] };

function ratios(alone: Pair, crowd: Pair): string[] {
  const ratio = ({ mesh, insert }: Pair, figure: (one: Round) => number) =>
    spread(mesh.map((one, index) => figure(one) / figure(insert[index] as Round)));
  return [ratio(alone, at(0.5)), ratio(alone, at(0.99)), ratio(crowd, perSecond), ratio(crowd, at(0.99))];
}

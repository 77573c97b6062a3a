import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { LocalPlatform } from "@aiplatform/local-platform";
import { afterAll, describe, expect, it } from "vitest";
import { ownPlatform } from "../infra/own-platform.ts";
import { ask, type Json, until } from "../mesh/rest.ts";
import { DatasetFiles } from "../rest-contract/dataset-files.ts";
import { deployHandler, settledEmbedding } from "../rest-contract/embedding-deployment.ts";
import { EmbeddingServer } from "../rest-contract/embedding-server.ts";
import { killed } from "./killed.ts";

const endpoint = await EmbeddingServer.start();
afterAll(async () => endpoint[Symbol.asyncDispose]());
/** Rows that are sent at once. */
const batchRows = 32;

let running: LocalPlatform;
ownPlatform((started) => (running = started), {
  separate: "all",
  settings: {
    data: {
      EMBEDDING_ENDPOINTS: JSON.stringify([
        { name: "vendor", url: endpoint.url, models: ["small"], organisations: "all", max_batch: batchRows },
      ]),
      EMBEDDING_ALLOWED_NETWORKS: "127.0.0.0/8",
    },
  },
});
const data = new DatasetFiles(() => running.description);
const look = (path: string) => ask(running.description, { path });

const rowCount = 320;
/** Says which rows it was sent, and takes so long that a kill meets a batch under way. */
const slowHandler = `
export default async ({ inputs: [{ shape: [count], data }] }) => {
  console.log("sent " + data.join(" "));
  await new Promise((resolve) => setTimeout(resolve, 250));
  const rows = data.map((text) => [Number(text.split("-").at(-1)), 1]);
  return { outputs: [{ name: "vectors", datatype: "FP32", shape: [count, 2], data: rows.flat() }] };
};
`;

/** How often each row was sent, as the instance says. */
async function sentRows(mark: string): Promise<Map<number, number>> {
  const log = await readFile(join(running.directory, "logs", "deployments.log"), "utf8");
  const times = new Map<number, number>();
  for (const [, row] of log.matchAll(new RegExp(`${mark}-(\\d+)`, "g"))) {
    times.set(Number(row), (times.get(Number(row)) ?? 0) + 1);
  }
  return times;
}

const numbersOf = (times: Map<number, number>) => times.values().reduce((sum, count) => sum + count, 0);

/** Who makes the vectors, and how it is known what was sent. */
interface Maker {
  recipe: (mark: string) => Promise<Json>;
  sent: (mark: string) => Promise<Map<number, number>>;
  /** Rows that the audit log says were sent, of an embedding that has ended. Undefined: it keeps none. */
  recorded: (embedding: string) => Promise<number | undefined>;
}

const deployment: Maker = {
  recipe: async (mark) => {
    // Its name is in the log as well: it is not to look like a row.
    const deployment_id = await deployHandler(running.description, `Slow ${randomUUID()}`, slowHandler);
    return { deployment_id, input: "texts", output: "vectors", template: `${mark}-{{row}}`, metric: "l2" };
  },
  sent: sentRows,
  recorded: async () => undefined,
};

const vendor: Maker = {
  recipe: async (mark) => {
    // As slow as the handler, and of numbers that a search finds again.
    endpoint.otherwise = async ({ input }) => {
      await new Promise((resolve) => setTimeout(resolve, 250));
      const data = input.map((text, index) => ({ index, embedding: [Number(text.split("-").at(-1)), 1] }));
      return { status: 200, body: { data } };
    };
    return { endpoint: "vendor", model: "small", template: `${mark}-{{row}}`, metric: "l2" };
  },
  sent: async (mark) => {
    const rows = endpoint.about(mark).flatMap(({ input }) => input.map((text) => Number(text.split("-").at(-1))));
    return new Map([...Map.groupBy(rows, (row) => row)].map(([row, all]) => [row, all.length]));
  },
  recorded: async (embedding) => {
    const path = `/platform/audit?entity_id=${embedding}&action=data.dataset_embedding.export_ended`;
    const { body } = await until(
      "the record of what was sent",
      30,
      () => look(path),
      (answer) => answer.body.length > 0,
    );
    return body[0].details.sent_rows;
  },
};

describe.each([
  ["a deployment", deployment, undefined],
  // Each counted once, however often a kill had it sent.
  ["an endpoint", vendor, rowCount],
])("killing the data service while rows are embedded by %s", (_, { recipe: recipeFor, sent, recorded }, record) => {
  it("goes on behind what was answered and stored: no such row is sent again, and each kill repeats one batch at most", async () => {
    const mark = `m${randomUUID().slice(0, 8)}`;
    const recipe = await recipeFor(mark);
    const { id: dataset, versions } = await data.dataset(`Killed ${mark}`);
    const rows = Array.from({ length: rowCount }, (_, row) => row);
    const version = await data.ready(versions, `row\n${rows.join("\n")}\n`);
    const embeddings = `${versions}/${version.id}/embeddings`;
    const { body: made } = await ask(running.description, { path: embeddings, body: { recipe } });
    const path = `${embeddings}/${made.id}`;
    const stored: number[] = [];
    for (const wanted of [batchRows, batchRows * 5]) {
      const isReached = ({ body }: Json) => body.embedded_rows >= wanted;
      stored.push((await until(`${wanted} rows to have vectors`, 120, () => look(path), isReached)).body.embedded_rows);
      await killed(running, "data");
      await running.restart("data");
    }
    const ready = await settledEmbedding(running.description, path, "ready", "failed");
    expect(ready).toMatchObject({ state: "ready", embedded_rows: rowCount, reused_rows: 0, problem: null });
    const isWhole = ({ size }: Map<number, number>) => size === rowCount;
    const times = await until("all rows to be known as sent", 30, () => sent(mark), isWhole);
    expect(numbersOf(times)).toBeLessThanOrEqual(rowCount + batchRows * stored.length);
    expect(await recorded(made.id)).toBe(record);
    // What was stored when it was first killed was sent once.
    for (const row of rows.slice(0, stored[0])) expect([row, times.get(row)]).toEqual([row, 1]);
    const { body: vectors } = await look(`/platform/datasets/${dataset}/embeddings?limit=1000`);
    expect(vectors.map(({ row, vector }: Json) => [row, vector[0]])).toEqual(rows.map((row) => [row, row]));
  });
});

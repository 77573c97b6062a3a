import { randomUUID } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { LocalPlatform } from "@aiplatform/local-platform";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ownPlatform } from "../infra/own-platform.ts";
import { ask, type Json, until } from "../mesh/rest.ts";
import { DatasetFiles } from "./dataset-files.ts";
import { settledEmbedding } from "./embedding-deployment.ts";
import { EmbeddingServer, type OtherAnswer, vectorsOf } from "./embedding-server.ts";

const server = await EmbeddingServer.start();
afterAll(async () => server[Symbol.asyncDispose]());

/** Looked for in all that the platform writes. */
const secretKey = `sk-${randomUUID()}`;
const batch = 16;
const organisation = randomUUID();
const endpoint = { name: "vendor", url: server.url, models: ["small"], organisations: "all", max_batch: batch };
const endpoints = [
  endpoint,
  { ...endpoint, name: "three", dimensions: 3 },
  { ...endpoint, name: "theirs", organisations: [organisation] },
  // An address of documentation, in no network that is allowed.
  { ...endpoint, name: "elsewhere", url: "https://203.0.113.9/v1" },
];

let running: LocalPlatform;
ownPlatform((started) => (running = started), {
  settings: {
    data: {
      EMBEDDING_ENDPOINTS: JSON.stringify(endpoints),
      EMBEDDING_ENDPOINT_KEYS: JSON.stringify({ vendor: secretKey }),
      EMBEDDING_ALLOWED_NETWORKS: "127.0.0.0/8",
    },
  },
});
const data = new DatasetFiles(() => running.description);
const get = (path: string) => ask(running.description, { path });
const post = (path: string, body: Json = {}, bearer?: string) =>
  ask(running.description, { path, body, ...(bearer && { bearer }) });

/** Points of a line, more than one batch of them. */
const points = Array.from({ length: batch * 2 + 3 }, (_, row) => ({ x: row + 1, y: 1 }));
const csv = (rows: readonly { x: number; y: number }[]) =>
  `x,y,Email\n${rows.map(({ x, y }) => `${x},${y},p${x}@example.org\n`).join("")}`;

/** A dataset of its own whose texts begin with its mark. */
async function marked(rows = points) {
  const mark = `m${randomUUID().slice(0, 8)}`;
  const { id, versions } = await data.dataset(`Endpoint ${mark}`);
  const version = await data.ready(versions, csv(rows));
  const embeddings = `${versions}/${version.id}/embeddings`;
  const recipe = { endpoint: "vendor", model: "small", template: `${mark} x={{x}} y={{y}}` };
  return { mark, id, versions, version, embeddings, recipe };
}

async function settled(embeddings: string, recipe: Json, ...states: string[]): Promise<Json> {
  const { status, text, body } = await post(embeddings, { recipe });
  if (status !== 201) throw new Error(`the embedding was answered ${status}: ${text}`);
  return await settledEmbedding(running.description, `${embeddings}/${body.id}`, ...states);
}

/** Answers what is about the mark so, as often as there are answers; then vectors. */
function answering(mark: string, ...answers: (OtherAnswer | ((input: string[]) => OtherAnswer))[]): void {
  const before = server.otherwise;
  server.otherwise = async (sent) => {
    if (!sent.input.some((each) => each.startsWith(mark))) return await before(sent);
    const next = answers.shift();
    return typeof next === "function" ? next(sent.input) : next;
  };
}

async function auditOf(entity: string, action: string): Promise<Json> {
  const look = () => get(`/platform/audit?entity_id=${entity}&action=${action}`);
  const { body } = await until(`the record ${action}`, 30, look, (answer) => answer.body.length > 0);
  expect(body).toHaveLength(1);
  return body[0];
}

async function keyWith(...permission_ids: string[]): Promise<string> {
  const { body } = await post("/platform/api-keys", { name: `key ${randomUUID()}`, permission_ids });
  return body.secret;
}

describe("an embedding by an endpoint", () => {
  it("sends each row once, in batches, with the key of the settings, and finds rows by a text", async () => {
    const { mark, id, embeddings, recipe } = await marked();
    const ready = await settled(embeddings, recipe, "ready", "failed");
    expect(ready).toMatchObject({ state: "ready", dimensions: 2, embedded_rows: points.length, problem: null });
    expect(ready.recipe).toEqual({
      ...{ deployment_id: null, input: null, output: null, ...recipe, column: null, scale: 1, metric: "cosine" },
    });
    const sent = server.about(mark);
    expect(sent.map(({ input }) => input.length)).toEqual([batch, batch, 3]);
    expect(sent.flatMap(({ input }) => input)).toEqual(points.map(({ x, y }) => `${mark} x=${x} y=${y}`));
    expect(new Set(sent.map(({ authorization }) => authorization))).toEqual(new Set([`Bearer ${secretKey}`]));
    expect(new Set(sent.map(({ key }) => key)).size).toBe(sent.length);
    expect(sent[0]).toMatchObject({ path: "/v1/embeddings", model: "small" });
    const search = `/platform/datasets/${id}/embeddings/search`;
    const { body } = await post(search, { text: `${mark} x=5 y=1`, limit: 1 });
    expect([body[0].row, body[0].distance]).toEqual([4, expect.closeTo(0, 6)]);
  });

  it("sends a version that shares rows only the others", async () => {
    const { mark, versions, embeddings, recipe } = await marked();
    await settled(embeddings, recipe, "ready", "failed");
    server.sent.length = 0;
    const next = await data.ready(versions, csv([...points, { x: 99, y: 1 }]));
    const again = await settled(`${versions}/${next.id}/embeddings`, recipe, "ready", "failed");
    expect(again).toMatchObject({ state: "ready", reused_rows: points.length });
    expect(server.about(mark).map(({ input }) => input)).toEqual([[`${mark} x=99 y=1`]]);
  });

  it("leaves records of who sends which columns where, and of how many rows were sent", async () => {
    const { id, version, embeddings, recipe } = await marked();
    const { id: embedding } = await settled(embeddings, recipe, "ready", "failed");
    const created = await auditOf(embedding, "data.dataset_embedding.created");
    const what = { dataset_id: id, dataset_version_id: version.id, endpoint: "vendor", model: "small" };
    expect(created.details).toEqual({ ...what, columns: ["x", "y"], deployment_id: "", row_count: points.length });
    const ended = await auditOf(embedding, "data.dataset_embedding.export_ended");
    expect(ended.details).toEqual({ ...what, columns: ["x", "y"], sent_rows: points.length, state: "ready" });
    expect(created.actor.credential_id).not.toBeNull();
    expect(ended.actor).toEqual(created.actor);
  });
});

describe("an endpoint that asks to wait", () => {
  it("is sent the same batch again, and nothing that it has answered", async () => {
    const { mark, embeddings, recipe } = await marked();
    const busy = { status: 429, headers: { "retry-after": "1" } };
    answering(mark, (input) => ({ status: 200, body: vectorsOf({ model: "small", input }) }), busy, { status: 503 });
    const ready = await settled(embeddings, recipe, "ready", "failed");
    expect(ready).toMatchObject({ state: "ready", embedded_rows: points.length });
    const keys = server.about(mark).map(({ key }) => key);
    expect([keys.length, new Set(keys).size]).toEqual([5, 3]);
    expect([keys[1], keys[2]]).toEqual([keys[2], keys[3]]);
  });

  it("is 503 for a search, and is sent its text once", async () => {
    const { mark, id, embeddings, recipe } = await marked(points.slice(0, 2));
    await settled(embeddings, recipe, "ready", "failed");
    server.otherwise = ({ input }) => (input[0]?.startsWith(mark) ? { status: 429 } : undefined);
    server.sent.length = 0;
    const { status, body } = await post(`/platform/datasets/${id}/embeddings/search`, { text: `${mark} x=1` });
    expect([status, body.code]).toEqual([503, "endpoint_unavailable"]);
    expect(server.about(mark).map(({ input }) => input)).toEqual([[`${mark} x=1`]]);
  });
});

describe("an endpoint whose answer is unfit", () => {
  const vector = (index: number, embedding: unknown = [1, 2]) => ({ index, embedding });
  const unfit: readonly (readonly [why: string, data: unknown, words: string])[] = [
    ["is no list", undefined, "a list of embeddings"],
    ["has too few vectors", [vector(0)], "answered 1 vectors to 2 texts"],
    ["has an index twice", [vector(0), vector(0)], "no vector with the index 1"],
    ["has what is no number", [vector(0), vector(1, [1, "2"])], "no list of numbers"],
    ["has what 32 bits do not hold", [vector(0), vector(1, [1, 1e300])], "32 bits"],
    ["has vectors of different lengths", [vector(0), vector(1, [1])], "a vector of 1 numbers where 2"],
    ["has empty vectors", [vector(0, []), vector(1, [])], "vectors of 0 numbers"],
  ];
  it.each(unfit)("fails the embedding where it %s", async (_, body, words) => {
    const { mark, embeddings, recipe } = await marked(points.slice(0, 2));
    answering(mark, { status: 200, body: { data: body } });
    const { state, problem } = await settled(embeddings, recipe, "ready", "failed");
    expect([state, problem.rule]).toEqual(["failed", "answer"]);
    expect(problem.message).toContain(words);
  });

  it("fails the embedding where a vector has not the length of the settings", async () => {
    const { embeddings, recipe } = await marked(points.slice(0, 2));
    const { problem } = await settled(embeddings, { ...recipe, endpoint: "three" }, "ready", "failed");
    expect(problem).toMatchObject({ rule: "answer", message: expect.stringContaining("where 3 are expected") });
  });
});

describe("an endpoint that refuses", () => {
  it("fails the embedding with the rows that it refused, the rows before were sent once, and the key is in no word", async () => {
    const { mark, embeddings, recipe } = await marked();
    const refuses = { status: 400, body: { error: { message: `too long; key ${secretKey}` } } };
    answering(mark, (input) => ({ status: 200, body: vectorsOf({ model: "small", input }) }), refuses);
    const failed = await settled(embeddings, recipe, "ready", "failed");
    expect(failed).toMatchObject({ state: "failed", embedded_rows: batch, problem: { rule: "refused" } });
    expect(failed.problem.message).toContain(`answered 400 to rows ${batch} to ${batch * 2 - 1}: too long; key …`);
    const { details } = await auditOf(failed.id, "data.dataset_embedding.export_ended");
    expect(details).toMatchObject({ state: "failed", sent_rows: batch * 2 });
  });

  it("fails the embedding where it does not take the key", async () => {
    const { mark, embeddings, recipe } = await marked(points.slice(0, 2));
    answering(mark, { status: 401, body: { error: { message: `${secretKey.slice(0, 9)} is wrong` } } });
    const { problem } = await settled(embeddings, recipe, "ready", "failed");
    expect(problem.message).toContain("does not take the platform's key");
    expect(problem.message).not.toContain(secretKey.slice(0, 9));
  });

  it("is not reached where its address is in no network that is allowed", async () => {
    const { embeddings, recipe } = await marked(points.slice(0, 2));
    const { problem } = await settled(embeddings, { ...recipe, endpoint: "elsewhere" }, "ready", "failed");
    expect(problem).toMatchObject({ rule: "refused", message: expect.stringContaining("203.0.113.9") });
  });
});

describe("a column that is marked sensitive", () => {
  const markSensitive = (id: string, columns: string[]) =>
    ask(running.description, {
      ...{ path: `/platform/datasets/${id}/sensitive-columns`, method: "PUT", body: { columns } },
    });

  it("is refused in a template, in whatever case it is marked, and nothing is sent", async () => {
    const { mark, id, embeddings, recipe } = await marked();
    await markSensitive(id, ["EMAIL"]);
    const template = `${mark} {{x}} {{Email}}`;
    const { status, body } = await post(embeddings, { recipe: { ...recipe, template } });
    expect([status, body.detail[0].loc, body.detail[0].type]).toEqual([
      422,
      ["body", "recipe", "template"],
      "column_sensitive",
    ]);
    expect(body.detail[0].msg).toContain('"Email"');
    expect(server.about(mark)).toEqual([]);
  });

  it("is sent no longer once it is marked while rows are sent", async () => {
    const { mark, id, embeddings, recipe } = await marked();
    let answered = 0;
    server.otherwise = async (sent) => {
      if (sent.input[0]?.startsWith(mark) && ++answered === 1) await markSensitive(id, ["x"]);
      return undefined;
    };
    const failed = await settled(embeddings, recipe, "ready", "failed");
    expect(failed).toMatchObject({ state: "failed", embedded_rows: batch, problem: { rule: "sensitive" } });
    expect(failed.problem.message).toContain('"x"');
    expect(server.about(mark)).toHaveLength(1);
  });
});

describe("a recipe with an endpoint", () => {
  let embeddings: string;
  beforeAll(async () => ({ embeddings } = await marked(points.slice(0, 2))));
  const template = "{{x}}";
  const vendor = { endpoint: "vendor", model: "small" };

  const refused: readonly (readonly [why: string, recipe: Json, field: string, type: string])[] = [
    ["names none", { template }, "deployment_id", "exactly_one"],
    [
      "names a deployment as well",
      { ...vendor, template, deployment_id: randomUUID() },
      "deployment_id",
      "not_together",
    ],
    ["names an output as well", { ...vendor, template, output: "v" }, "output", "not_together"],
    ["names no model", { endpoint: "vendor", template }, "model", "required"],
    ["names a model that it does not have", { endpoint: "vendor", model: "huge", template }, "model", "model_unknown"],
    ["names one that is not there", { endpoint: "other", model: "small", template }, "endpoint", "endpoint_unknown"],
    ["names one of others", { endpoint: "theirs", model: "small", template }, "endpoint", "endpoint_unknown"],
  ];
  it.each(refused)("is refused where it %s", async (_, recipe, field, type) => {
    const { status, body } = await post(embeddings, { recipe });
    expect([status, body.detail[0].loc, body.detail[0].type]).toEqual([422, ["body", "recipe", field], type]);
  });

  it("says which endpoints there are", async () => {
    const { body } = await post(embeddings, { recipe: { endpoint: "other", model: "small", template } });
    expect(body.detail[0].msg).toContain('"vendor", "three", "elsewhere"');
    expect(body.detail[0].msg).not.toContain("theirs");
  });

  it("needs a permission of its own, and so does a search for a text", async () => {
    const { id, embeddings: own, recipe } = await marked(points.slice(0, 2));
    await settled(own, recipe, "ready", "failed");
    const [without, allowed] = [
      await keyWith("data:write", "data:read", "deployments:predict"),
      await keyWith("data:write", "data:read", "data:export"),
    ];
    const search = `/platform/datasets/${id}/embeddings/search`;
    for (const [path, body] of [
      [own, { recipe }],
      [search, { text: "x=1" }],
    ] as const) {
      const refusal = await post(path, body, without);
      expect([refusal.status, refusal.body.code, refusal.body.detail]).toEqual([
        403,
        "permission_missing",
        "Missing permission: data:export",
      ]);
      expect((await post(path, body, allowed)).status).toBeLessThan(300);
    }
    expect((await post(search, { row: 0 }, without)).status).toBe(200);
  });
});

describe("an embedding that ends while rows are sent", () => {
  /** Resolves once rows were sent, which are answered when `answer` is called. */
  function held(mark: string) {
    const { promise: wasSent, resolve: sent } = Promise.withResolvers<void>();
    const { promise: mayAnswer, resolve: answer } = Promise.withResolvers<undefined>();
    server.otherwise = async ({ input }) => {
      if (!input[0]?.startsWith(mark)) return undefined;
      sent();
      return await mayAnswer;
    };
    return { wasSent, answer: () => answer(undefined) };
  }

  it("says at its cancellation how many were sent", async () => {
    const { mark, embeddings, recipe } = await marked();
    const { wasSent, answer } = held(mark);
    const { body: made } = await post(embeddings, { recipe });
    await wasSent;
    const { body } = await post(`${embeddings}/${made.id}/cancel`);
    answer();
    expect(body.state).toBe("cancelled");
    const { details } = await auditOf(made.id, "data.dataset_embedding.cancelled");
    expect(details).toMatchObject({ endpoint: "vendor", columns: ["x", "y"], sent_rows: batch });
  });

  it("is recorded when its version is purged", async () => {
    const { mark, versions, version, embeddings, recipe } = await marked();
    const { wasSent, answer } = held(mark);
    const { body: made } = await post(embeddings, { recipe });
    await wasSent;
    await post(`${versions}/${version.id}/purge`);
    answer();
    const { details } = await auditOf(made.id, "data.dataset_embedding.export_ended");
    expect(details).toMatchObject({ state: "purging", sent_rows: batch });
  });
});

describe("the key of an endpoint", () => {
  it("is in nothing that the platform writes down", async () => {
    const directory = join(running.directory, "logs");
    const names = await readdir(directory);
    const written = (await Promise.all(names.map((name) => readFile(join(directory, name), "utf8")))).join("\n");
    expect(written).toContain("the rows of a version cannot be embedded");
    expect(written).not.toContain(secretKey);
  });
});

import { randomUUID } from "node:crypto";
import type { LocalPlatform } from "@aiplatform/local-platform";
import { tableFromIPC } from "@uwdata/flechette";
import { beforeAll, describe, expect, it } from "vitest";
import { sharedPlatform } from "../infra/shared-platform.ts";
import { ask, type Json } from "../mesh/rest.ts";
import { DatasetFiles } from "./dataset-files.ts";
import { deployHandler, handlerBundle, serves, settledEmbedding, vectorHandler } from "./embedding-deployment.ts";

let platform: LocalPlatform["description"];
sharedPlatform(({ description }) => {
  platform = description;
});
const data = new DatasetFiles(() => platform);
const get = (path: string) => ask(platform, { path });
const post = (path: string, body: Json = {}) => ask(platform, { path, body });

/** Points of a plane, more than one batch of them: on a circle, in steps of one degree. */
const pointCount = 90;
const points = Array.from({ length: pointCount }, (_, degrees) => {
  const [x, y] = [Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)];
  return {
    row: degrees,
    "file row number": degrees % 3,
    x: Number(x.toFixed(6)),
    y: Number(y.toFixed(6)),
    at: [x, y, 9],
  };
});
const lines = (rows: readonly Json[]) => rows.map((row) => `${JSON.stringify(row)}\n`).join("");
const template = "x={{x}} y={{y}}";

let deployment: string;
const recipeOf = (more: Json = {}) => ({ deployment_id: deployment, input: "texts", output: "vectors", ...more });

beforeAll(async () => {
  deployment = await deployHandler(platform, `Vectors ${randomUUID()}`);
}, 120_000);

async function embedded(versions: string, version: Json, recipe: Json, ...states: string[]): Promise<Json> {
  const path = `${versions}/${version.id}/embeddings`;
  const { status, text, body } = await post(path, { recipe });
  if (status !== 201) throw new Error(`the embedding was answered ${status}: ${text}`);
  return await settledEmbedding(platform, `${path}/${body.id}`, ...(states.length > 0 ? states : ["ready", "failed"]));
}

describe("an embedding of texts", () => {
  let dataset: string;
  let versions: string;
  let version: Json;
  let embedding: Json;
  const search = (body: Json) => post(`/platform/datasets/${dataset}/embeddings/search`, body);
  const rowsOf = ({ body }: Json) => body.map(({ row }: Json) => row);

  beforeAll(async () => {
    ({ id: dataset, versions } = await data.dataset(`Points ${randomUUID()}`));
    version = await data.ready(versions, lines(points), { format: "jsonl" });
    embedding = await embedded(versions, version, recipeOf({ template }));
  }, 120_000);

  it("is ready once each row has a vector, and says what made them", async () => {
    expect(embedding).toMatchObject({
      ...{
        state: "ready",
        dimensions: 2,
        row_count: pointCount,
        embedded_rows: pointCount,
        reused_rows: 0,
        problem: null,
      },
      recipe: { deployment_id: deployment, template, column: null, metric: "cosine" },
    });
    const [serving] = (await get(`/platform/deployments/${deployment}/versions`)).body;
    expect(embedding.deployment_version_id).toBe(serving.id);
    expect(embedding.size_bytes).toBeGreaterThan(0);
  });

  it("answers its vectors page by page, in the order of the rows", async () => {
    const seen: Json[] = [];
    let path = `/platform/datasets/${dataset}/embeddings?limit=40`;
    for (let pages = 0; path !== "" && pages < 5; pages++) {
      const { body, headers } = await get(path);
      seen.push(...body);
      path = /<([^>]+)>; rel="next"/.exec(headers.get("link") ?? "")?.[1] ?? "";
      if (path.startsWith("http")) path = path.slice(new URL(path).origin.length);
    }
    expect(seen.map(({ row }) => row)).toEqual(points.map(({ row }) => row));
    for (const { row, vector } of seen) {
      expect(Math.fround(vector[0])).toBe(Math.fround(points[row]?.x ?? Number.NaN));
      expect(Math.fround(vector[1])).toBe(Math.fround(points[row]?.y ?? Number.NaN));
    }
  });

  it("answers its vectors in Arrow to a client that prefers it", async () => {
    const headers = { accept: "application/vnd.apache.arrow.stream", authorization: `Bearer ${platform.bearer}` };
    const answer = await fetch(`${platform.gateway}/platform/datasets/${dataset}/embeddings?limit=2`, { headers });
    expect(answer.headers.get("link")).toContain('rel="next"');
    const table = tableFromIPC(await answer.arrayBuffer());
    const [first, second] = points;
    expect(table.toArray().map(({ row, vector }) => ({ row, vector: [...vector] }))).toEqual([
      { row: 0, vector: [Math.fround(first?.x ?? 0), Math.fround(first?.y ?? 0)] },
      { row: 1, vector: [Math.fround(second?.x ?? 0), Math.fround(second?.y ?? 0)] },
    ]);
  });

  it("finds the rows nearest to a row, without the row itself", async () => {
    const found = await search({ row: 45, limit: 4 });
    expect([found.status, rowsOf(found)]).toEqual([200, [44, 46, 43, 47]]);
    expect(found.body[0].distance).toBeCloseTo(1 - Math.cos(Math.PI / 180), 5);
  });

  it("finds the rows nearest to a vector and to a text, which the deployment makes a vector of", async () => {
    expect(rowsOf(await search({ vector: [0, 5], limit: 2 }))).toEqual([89, 88]);
    expect(rowsOf(await search({ text: "x=1 y=1", limit: 1 }))).toEqual([45]);
  });

  it("looks only at rows that the filter finds, whatever the columns are called, and answers their columns", async () => {
    const filter = '"file row number" = 0 AND row < 44';
    const { body } = await search({ row: 45, limit: 2, filter, columns: ["x", "row"] });
    expect(body.map((each: Json) => [each.row, each.data])).toEqual([
      [42, { x: points[42]?.x, row: 42 }],
      [39, { x: points[39]?.x, row: 39 }],
    ]);
  });

  const refused: readonly (readonly [why: string, body: Json, field: string])[] = [
    ["nothing is looked for", {}, "row"],
    ["two things are looked for", { row: 1, text: "x=1" }, "text"],
    ["the row is not there", { row: pointCount }, "row"],
    ["the vector has another length", { vector: [1, 2, 3] }, "vector"],
    ["the vector has no direction", { vector: [0, 0] }, "vector"],
    ["the vector has none in numbers of 32 bits", { vector: [1e-60, 0] }, "vector"],
    ["a number does not fit into 32 bits", { vector: [1, 1e39] }, "vector"],
    ["the text has no direction", { text: "nothing" }, "text"],
    ["numbers are sent to texts", { tensor: [1, 2] }, "tensor"],
    ["a column is not there", { row: 1, columns: ["z"] }, "columns"],
    ["the filter does not fit", { row: 1, filter: "z = 1" }, "filter"],
  ];
  it.each(refused)("refuses a search where %s", async (_, body, field) => {
    const { status, text } = await search(body);
    expect([status, text]).toEqual([422, expect.stringContaining(field)]);
  });

  it("is used again for a version that shares rows: only others are sent", async () => {
    const more = [...points.slice(30), { ...points[0], x: -1, y: 0.5 }, ...points.slice(0, 30)];
    const next = await data.ready(versions, lines(more), { format: "jsonl" });
    const again = await embedded(versions, next, recipeOf({ template, metric: "l2" }));
    expect(again).toMatchObject({ state: "ready", row_count: pointCount + 1, reused_rows: pointCount });
    const newest = await search({ vector: [-1, 0.5], limit: 1 });
    expect([rowsOf(newest), newest.body[0].distance]).toEqual([[60], 0]);
    expect(rowsOf(await search({ embedding_id: embedding.id, vector: [1, 0], limit: 1 }))).toEqual([0]);
    const list = await get(`${versions}/${next.id}/embeddings?filter=state%20%3D%20ready`);
    expect(list.body.map(({ id }: Json) => id)).toEqual([again.id]);
  });

  it("goes with its version: nothing of it can be read, and its bytes are gone", async () => {
    const other = await data.dataset(`Purged ${randomUUID()}`);
    const purged = await data.ready(other.versions, `x,y\n1,2\n${Math.random()},4\n`);
    const gone = await embedded(other.versions, purged, recipeOf({ template }));
    expect(gone.state).toBe("ready");
    await post(`${other.versions}/${purged.id}/purge`);
    await data.settled(other.versions, purged, "purged");
    expect((await get(`${other.versions}/${purged.id}/embeddings/${gone.id}`)).status).toBe(404);
    const { status, body } = await get(`/platform/datasets/${other.id}/embeddings`);
    expect([status, body.code]).toEqual([409, "embedding_not_ready"]);
  });
});

describe("creating an embedding again with its key", () => {
  it("is answered as before, though the version is purged and can no longer be embedded", async () => {
    const { versions } = await data.dataset(`Repeated ${randomUUID()}`);
    const version = await data.ready(versions, "x,y\n1,2\n");
    const path = `${versions}/${version.id}/embeddings`;
    const headers = { "idempotency-key": randomUUID() };
    const create = (more: Json) => ask(platform, { path, body: { recipe: recipeOf({ template }) }, ...more });
    const first = await create({ headers });
    await post(`${versions}/${version.id}/purge`);
    await data.settled(versions, version, "purged");
    const again = await create({ headers });
    expect([first.status, again.status, again.body.id]).toEqual([201, 201, first.body.id]);
    expect((await create({})).status).toBe(409);
  });
});

describe("an embedding of a column of numbers", () => {
  it("sends the numbers times the scale, and finds by numbers", async () => {
    const { id, versions } = await data.dataset(`Tensors ${randomUUID()}`);
    const version = await data.ready(versions, lines(points), { format: "jsonl" });
    const recipe = recipeOf({ column: "at", scale: 2, metric: "dot" });
    expect(await embedded(versions, version, recipe)).toMatchObject({ state: "ready", dimensions: 2 });
    const { body } = await post(`/platform/datasets/${id}/embeddings/search`, { tensor: [0, 10, 0], limit: 1 });
    expect([body[0].row, body[0].distance]).toEqual([89, expect.closeTo(-40 * (points[89]?.y ?? 0), 3)]);
  });
});

describe("an embedding that cannot be made", () => {
  let versions: string;
  let version: Json;
  beforeAll(async () => {
    ({ versions } = await data.dataset(`Refused ${randomUUID()}`));
    version = await data.ready(versions, "x,y\n1,2\n");
  }, 60_000);

  const unfit: readonly (readonly [why: string, recipe: Json, reason: string])[] = [
    ["has no input", {}, "template"],
    ["has two inputs", { template, column: "x" }, "template"],
    ["names a column that is not there", { template: "{{z}}" }, "template"],
    ["names no column", { template: "text" }, "template"],
    ["sends a column that is no list", { column: "x" }, "column"],
  ];
  it.each(unfit)("is refused where its recipe %s", async (_, recipe, field) => {
    const { status, text } = await post(`${versions}/${version.id}/embeddings`, { recipe: recipeOf(recipe) });
    expect([status, text]).toEqual([422, expect.stringContaining(field)]);
  });

  it("is 404 for a deployment that is not there", async () => {
    const recipe = { ...recipeOf({ template }), deployment_id: randomUUID() };
    expect((await post(`${versions}/${version.id}/embeddings`, { recipe })).status).toBe(404);
  });

  it("fails where the model answers no vectors, and says what to correct", async () => {
    const failed = await embedded(versions, version, recipeOf({ input: "scalar", template }));
    expect(failed).toMatchObject({ state: "failed", problem: { rule: "answer" } });
    expect(failed.problem.message).toContain("numbers instead of vectors");
  });

  it("waits for a deployment that is stopped, and is cancelled once", async () => {
    const stopped = await deployHandler(platform, `Stopped ${randomUUID()}`);
    await post(`/platform/deployments/${stopped}/stop`);
    const recipe = recipeOf({ deployment_id: stopped, template });
    const waiting = await embedded(versions, version, recipe, "embedding");
    const path = `${versions}/${version.id}/embeddings/${waiting.id}/cancel`;
    expect((await post(path)).body).toMatchObject({ state: "cancelled", embedded_rows: 0 });
    expect((await post(path)).status).toBe(200);
  });
});

describe("a search for a text", () => {
  it("is refused once the deployment serves another version than the one that made the vectors", async () => {
    const name = `Replaced ${randomUUID()}`;
    const replaced = await deployHandler(platform, name);
    const { id, versions } = await data.dataset(name);
    const version = await data.ready(versions, "x,y\n1,2\n3,4\n");
    await embedded(versions, version, recipeOf({ deployment_id: replaced, template }));
    const { name: _, ...bundle } = handlerBundle(name, `${vectorHandler}// another version`);
    const path = `/platform/deployments/${replaced}/custom-serving`;
    expect((await ask(platform, { path, method: "PUT", body: bundle })).status).toBeLessThan(300);
    await serves(platform, replaced);
    const search = (body: Json) => post(`/platform/datasets/${id}/embeddings/search`, body);
    const { status, body } = await search({ text: "x=1 y=2" });
    expect([status, body.code]).toEqual([409, "deployment_version_gone"]);
    expect((await search({ row: 0 })).status).toBe(200);
  });
});

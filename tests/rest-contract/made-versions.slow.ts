import { randomUUID } from "node:crypto";
import type { LocalPlatform } from "@aiplatform/local-platform";
import { beforeAll, describe, expect, it } from "vitest";
import { sharedPlatform } from "../infra/shared-platform.ts";
import { ask, type Json } from "../mesh/rest.ts";
import { DatasetFiles } from "./dataset-files.ts";

let platform: LocalPlatform["description"];
sharedPlatform(({ description }) => {
  platform = description;
});
const data = new DatasetFiles(() => platform);
const get = (path: string) => ask(platform, { path });
const post = (path: string, body: Json = {}) => ask(platform, { path, body });

/** A version of what the body says, once it is settled. */
async function made(versions: string, body: Json): Promise<Json> {
  const answer = await post(versions, body);
  expect([answer.status, answer.body.state]).toEqual([201, "pending"]);
  return await data.settled(versions, answer.body, "ready", "failed");
}
const rowsOf = async (versions: string, { id }: Json) => (await get(`${versions}/${id}/rows`)).body;

let orders: { id: string; versions: string };
let countries: { id: string; versions: string };
let target: { id: string; versions: string };
let ofOrders: Json;
let ofCountries: Json;
beforeAll(async () => {
  orders = await data.dataset(`Orders ${randomUUID()}`);
  countries = await data.dataset(`Countries ${randomUUID()}`);
  target = await data.dataset(`Orders by country ${randomUUID()}`);
  ofOrders = await data.ready(orders.versions, "id,country,price\n1,NO,10.5\n2,SE,4\n3,NO,7.25\n");
  ofCountries = await data.ready(countries.versions, "code,name\nNO,Norway\nSE,Sweden\n");
});
const ordersView = () => ({ name: "orders", dataset_id: orders.id, version_id: ofOrders.id });

describe("a version that is made by a query", () => {
  const sql =
    "SELECT name, sum(price) AS total FROM orders JOIN countries ON country = code GROUP BY name ORDER BY total DESC";

  it("has what the query answers, and says which versions it read", async () => {
    const views = [ordersView(), { name: "countries", dataset_id: countries.id, version_id: ofCountries.id }];
    const version = await made(target.versions, { query: { sql, views }, description: "By country" });
    expect(version).toMatchObject({
      ...{ state: "ready", problem: null, files: [], predecessor: null, row_count: 2, description: "By country" },
      query: {
        sql,
        sources: [
          { name: "orders", dataset_id: orders.id, version_id: ofOrders.id, number: 1 },
          { name: "countries", dataset_id: countries.id, version_id: ofCountries.id, number: 1 },
        ],
      },
    });
    expect(await rowsOf(target.versions, version)).toEqual([
      { name: "Norway", total: 17.75 },
      { name: "Sweden", total: 4 },
    ]);
  });

  it("was made of these, and they say so", async () => {
    const query = { sql: "SELECT o.id FROM orders o JOIN orders p ON o.id = p.id", views: [ordersView()] };
    const version = await made(target.versions, { query });
    const lineage = async (id: string, direction: string) =>
      (await get(`/platform/lineage?kind=dataset_version&id=${id}&direction=${direction}`)).body;
    expect((await lineage(version.id, "upstream")).edges).toEqual([{ source_id: ofOrders.id, derived_id: version.id }]);
    const down = (await lineage(ofOrders.id, "downstream")).nodes.map(({ id }: Json) => id);
    expect(down).toContain(version.id);
    const { body } = await post(`${orders.versions}/${ofOrders.id}/purge?dry_run=true`);
    expect(body.uses.nodes.map(({ id }: Json) => id)).toContain(version.id);
  });

  it("reads the newest version that is ready of a dataset without a version, as it was when it was created", async () => {
    const { id, versions } = await data.dataset(`Newest ${randomUUID()}`);
    await data.ready(versions, "n\n1\n");
    const second = await data.ready(versions, "n\n2\n");
    const broken = await data.ready(versions, 'n\n"3\n');
    expect(broken.state).toBe("failed");
    const query = { sql: "SELECT n FROM newest", views: [{ name: "newest", dataset_id: id }] };
    const version = await made(target.versions, { query });
    expect(version.query.sources).toEqual([{ name: "newest", dataset_id: id, version_id: second.id, number: 2 }]);
    expect(await rowsOf(target.versions, version)).toEqual([{ n: 2 }]);
  });

  it("shares no data with the same query, which may answer otherwise", async () => {
    const query = { sql: "SELECT random() AS r FROM orders", views: [ordersView()] };
    const [one, other] = [await made(target.versions, { query }), await made(target.versions, { query })];
    expect(one.content_sha256).not.toBe(other.content_sha256);
  });

  it("is made once for one idempotency key, also when its source is gone by then", async () => {
    const source = await data.ready(orders.versions, `id\n${randomUUID()}\n`);
    const views = [{ name: "t", dataset_id: orders.id, version_id: source.id }];
    const headers = { "idempotency-key": randomUUID() };
    const body = { query: { sql: "SELECT * FROM t", views } };
    const create = () => ask(platform, { path: target.versions, body, headers });
    const first = await create();
    await data.settled(target.versions, first.body, "ready");
    await post(`${orders.versions}/${source.id}/purge`);
    const again = await create();
    expect([first.status, again.status, again.body.id]).toEqual([201, 201, first.body.id]);
  });

  it("keeps its rows when what it read is purged, and loses its query when it is purged itself", async () => {
    const secret = randomUUID();
    const source = await data.ready(orders.versions, `who\n${secret}\n`);
    const views = [{ name: "t", dataset_id: orders.id, version_id: source.id }];
    const version = await made(target.versions, { query: { sql: `SELECT * FROM t WHERE who = '${secret}'`, views } });
    await post(`${orders.versions}/${source.id}/purge`);
    await data.settled(orders.versions, source, "purged");
    expect(await rowsOf(target.versions, version)).toEqual([{ who: secret }]);
    await post(`${target.versions}/${version.id}/purge`);
    const purged = await data.settled(target.versions, version, "purged");
    expect(purged.query).toMatchObject({ sql: null, sources: [{ version_id: source.id }] });
  });

  const unfit: readonly (readonly [what: string, sql: string, message: RegExp])[] = [
    ["a column that is not there", "SELECT colour FROM orders", /colour/],
    ["something other than one SELECT", "DROP TABLE orders", /SELECT/],
    ["a file", "SELECT * FROM read_csv('/etc/passwd')", /read_csv|function/],
    ["what it was not given", "SELECT * FROM customers", /customers/],
  ];
  it.each(unfit)("fails with what helps when its query reads %s", async (_, query, message) => {
    const version = await made(target.versions, { query: { sql: query, views: [ordersView()] } });
    const problem = { rule: "query", file: null, column: null };
    expect(version).toMatchObject({ state: "failed", row_count: 0, content_sha256: null, problem });
    expect(version.problem.message).toMatch(message);
    expect(version.problem.remedy).not.toBe("");
  });

  it("is refused where two views have one name", async () => {
    const views = [ordersView(), { ...ordersView(), name: "Orders" }];
    const { status, body } = await post(target.versions, { query: { sql, views } });
    expect([status, body.detail[0].loc, body.detail[0].type]).toEqual([
      422,
      ["body", "query", "views", 1, "name"],
      "name_repeated",
    ]);
  });

  it("is refused over a dataset without a version that is ready", async () => {
    const { id, versions } = await data.dataset(`Without ${randomUUID()}`);
    const query = { sql: "SELECT * FROM t", views: [{ name: "t", dataset_id: id }] };
    expect((await post(target.versions, { query })).status).toBe(404);
    await data.ready(versions, 'n\n"3\n');
    const { status, body } = await post(target.versions, { query });
    expect([status, body.code]).toEqual([409, "dataset_version_not_ready"]);
    expect(body.detail).toContain(id);
  });

  it("is refused to a caller who may not read", async () => {
    const permission_ids = ["data:write", "dictionary:read"];
    const { secret } = (await post("/platform/api-keys", { name: "writes", permission_ids })).body;
    const body = { query: { sql, views: [ordersView()] } };
    const answer = await ask(platform, { path: target.versions, body, bearer: secret });
    expect([answer.status, answer.body.detail]).toEqual([403, "Missing permission: data:read"]);
    const rows = await ask(platform, { path: target.versions, body: { rows: [{ a: 1 }] }, bearer: secret });
    expect(rows.status).toBe(201);
  });
});

describe("a version of rows", () => {
  it("has the rows of the request, which are a file of it", async () => {
    const rows = [
      { id: 9_007_199_254_740_991, name: "Ada\nLovelace", tags: ["a", "b"] },
      { id: 2, name: null, tags: [] },
      { id: 3 },
    ];
    const version = await made(target.versions, { rows });
    expect(version).toMatchObject({ state: "ready", row_count: 3, query: null });
    expect(version.files).toMatchObject([{ name: "rows.jsonl", format: "jsonl" }]);
    expect(await rowsOf(target.versions, version)).toEqual([
      rows[0],
      { id: 2, name: null, tags: [] },
      { id: 3, name: null, tags: null },
    ]);
    const { body: again } = await post(target.versions, { rows });
    expect(again).toMatchObject({ state: "ready", content_sha256: version.content_sha256 });
  });
});

describe("a version of nothing, or of two things", () => {
  const [rows, files] = [[{ a: 1 }], [{ artifact_sha256: "0".repeat(64), name: "a", format: "csv" }]];
  const refused: readonly (readonly [body: Json, field: string, type: string])[] = [
    [{}, "files", "source_missing"],
    [{ files: [], rows: [] }, "files", "source_missing"],
    [{ files, rows }, "rows", "not_together"],
    [{ rows: Array.from({ length: 10_001 }, () => ({})) }, "rows", "too_long"],
    [{ query: { sql: "SELECT 1", views: [] } }, "views", "too_short"],
  ];
  it.each(refused)("is refused: %#", async (body, field, type) => {
    const answer = await post(target.versions, body);
    expect([answer.status, answer.body.detail[0].loc.at(-1), answer.body.detail[0].type]).toEqual([422, field, type]);
  });
});

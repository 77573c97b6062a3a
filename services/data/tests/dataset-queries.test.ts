import { randomUUID } from "node:crypto";
import { mkdtempDisposable } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatasetQueryService } from "@aiplatform/contract/aiplatform/data/v1/dataset_queries";
import { findSandbox } from "@aiplatform/serving-runtime/sandbox";
import { failureOf } from "@aiplatform/testkit";
import { Code } from "@connectrpc/connect";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { DatasetVersion } from "../src/dataset-versions/dataset-version.ts";
import { DataRig } from "./data-rig.ts";
import { storedData, storedVersion } from "./stored-versions.ts";

const [acme, globex] = [randomUUID(), randomUUID()];
let rig: DataRig;
/** The one that has the data. */
let replica: number;
let orders: DatasetVersion;
let countries: DatasetVersion;
let foreign: DatasetVersion;
const cleanUp = new AsyncDisposableStack();

beforeAll(async () => {
  const directory = cleanUp.use(await mkdtempDisposable(join(tmpdir(), "data-"))).path;
  const ofOrders = await storedData(directory, acme, "id,country,price\n1,NO,10.5\n2,SE,\n3,NO,7.25\n");
  const ofCountries = await storedData(directory, acme, "code,name\nNO,Norway\nSE,Sweden\n");
  const ofOther = await storedData(directory, globex, "secret\n42\n");
  const { kind: DATA_SANDBOX } = await findSandbox();
  const elsewhere = cleanUp.use(await mkdtempDisposable(join(tmpdir(), "data-"))).path;
  rig = cleanUp.use(await DataRig.start({ settings: { DATA_DIRECTORY: elsewhere, DATA_SANDBOX } }));
  const ready = { state: "ready" as const };
  orders = await storedVersion(rig.store, { organisationId: acme, ...ready, data: ofOrders });
  countries = await storedVersion(rig.store, { organisationId: acme, ...ready, data: ofCountries });
  foreign = await storedVersion(rig.store, { organisationId: globex, ...ready, data: ofOther });
  // It keeps the copies that it finds, because versions refer to them.
  replica = await rig.add({ DATA_DIRECTORY: directory, DATA_SANDBOX });
}, 300_000);
afterAll(() => cleanUp.disposeAsync());

const view = (name: string, { datasetId, id: versionId }: DatasetVersion) => ({ name, datasetId, versionId });
const ask = (sql: string, views = [view("orders", orders)], limit = 100) =>
  rig.as({ organisationId: acme }, replica).client(DatasetQueryService).queryDatasets({ views, sql, limit });
const rowsOf = async (...asked: Parameters<typeof ask>) =>
  (await ask(...asked)).rows.map(({ text }) => JSON.parse(text));

describe("a query over versions", () => {
  it("answers columns and rows", async () => {
    const { columns, rows, hasMore } = await ask(
      "SELECT country, sum(price) AS total FROM orders GROUP BY ALL ORDER BY 1",
    );
    expect(columns.map(({ name, type }) => `${name} ${type}`)).toEqual(["country VARCHAR", "total DOUBLE"]);
    expect(rows.map(({ text }) => JSON.parse(text))).toEqual([
      { country: "NO", total: 17.75 },
      { country: "SE", total: null },
    ]);
    expect(hasMore).toBe(false);
  });

  it("joins several of them", async () => {
    const sql = "SELECT name, count(*) AS n FROM orders JOIN countries ON country = code GROUP BY ALL ORDER BY 1";
    expect(await rowsOf(sql, [view("orders", orders), view("countries", countries)])).toEqual([
      { name: "Norway", n: 2 },
      { name: "Sweden", n: 1 },
    ]);
  });

  it("says that more rows follow", async () => {
    expect(await ask("SELECT id FROM orders ORDER BY id", undefined, 2)).toMatchObject({ hasMore: true });
  });

  it.each([
    ["a file of the machine", "SELECT * FROM read_text('/etc/passwd')"],
    ["a table by its path", "SELECT * FROM '/etc/passwd'"],
    ["the data of another version", "SELECT * FROM countries"],
    ["another database", "ATTACH '/tmp/stolen.db'"],
    ["an extension", "INSTALL httpfs"],
    ["a copy to a file", "COPY orders TO '/tmp/stolen.csv'"],
    ["a setting", "PRAGMA threads = 64"],
    ["paths of the machine", "SELECT sql FROM duckdb_views()"],
    ["two statements", "SELECT 1; SELECT 2"],
  ])("is refused that wants %s", async (_, sql) => {
    const { code, fields, message } = await failureOf(ask(sql));
    expect([code, fields]).toEqual([Code.InvalidArgument, [["sql", "QUERY_INVALID"]]]);
    expect(message).not.toContain(acme);
  });

  it("is refused with the place of its fault and what to do", async () => {
    const { message } = await failureOf(ask("SELECT id,\n  age FROM orders"));
    expect(message).toMatch(/^sql: .*"age" not found.* \(line 2, character 3\)\. Name columns .*\.$/);
  });

  it("does not read a version of another organisation", async () => {
    const { code } = await failureOf(ask("SELECT * FROM t", [view("t", foreign)]));
    expect(code).toBe(Code.NotFound);
  });

  it("is refused while a version has no rows, and with two views of one name", async () => {
    const pending = await storedVersion(rig.store, { organisationId: acme, state: "failed" });
    const unready = await failureOf(ask("SELECT 1", [view("t", pending)]));
    expect(unready.reason).toBe("DATASET_VERSION_NOT_READY");
    const twice = await failureOf(ask("SELECT 1", [view("t", orders), view("T", countries)]));
    expect(twice.fields).toEqual([["views[1].name", "NAME_REPEATED"]]);
  });

  it("is for those who may read data", async () => {
    const client = rig.as({ organisationId: acme, permissions: ["data:write"] }, replica).client(DatasetQueryService);
    const { code } = await failureOf(client.queryDatasets({ views: [view("t", orders)], sql: "SELECT 1" }));
    expect(code).toBe(Code.PermissionDenied);
  });
});

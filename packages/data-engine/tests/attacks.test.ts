import { existsSync } from "node:fs";
import { mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openTestEngine, rowsOf, type TestEngine } from "./test-engine.ts";

let test: TestEngine;
let table: string;
let other: string;
beforeAll(async () => {
  test = await openTestEngine();
  table = await test.parquet("table.parquet", "id,name\n1,ada\n2,bob\n3,cyd\n");
  other = await test.parquet("other.parquet", "secret\n42\n");
  await mkdir(join(test.directory, "eve"));
  await writeFile(test.path("foreign.csv", "eve"), "secret\n42\n");
});
afterAll(() => test[Symbol.asyncDispose]());

const ask = (
  sql: string,
  more: { parameters?: (string | number)[]; timeMs?: number; limit?: number; maxBytes?: number } = {},
) => {
  const { timeMs = 20_000, limit = 100, ...rest } = more;
  return test.engine.query({ organisationId: "ada", views: { t: [table] }, sql, limit, limits: { timeMs }, ...rest });
};

describe("a query", () => {
  it("reads its views, with parameters", async () => {
    const page = await ask("SELECT name FROM t WHERE id >= $1 ORDER BY id DESC; -- the last ones", { parameters: [2] });
    expect(rowsOf(page)).toEqual([{ name: "cyd" }, { name: "bob" }]);
  });

  it("writes all of its result as a version of its own", async () => {
    const output = test.path("result.parquet");
    const sql = "SELECT sum(id) AS total, count(*) AS n FROM t -- a comment";
    const written = await test.engine.queryToFile({ organisationId: "ada", views: { t: [table] }, sql, output });
    expect(written).toMatchObject({ rowCount: 1, columns: [{ name: "total", type: "DECIMAL(38,0)" }, { name: "n" }] });
    const page = await test.engine.rows({ organisationId: "ada", files: [output], limit: 1 });
    expect(rowsOf(page)).toEqual([{ total: "6", n: 3 }]);
  });

  it.each([
    ["more than one statement", "SELECT 1; SELECT 2"],
    ["nothing", " "],
    ["no SQL", "SELEC 1"],
    ["COPY", "COPY t TO '/tmp/stolen.csv'"],
    ["ATTACH", "ATTACH '/tmp/stolen.db'"],
    ["INSTALL", "INSTALL httpfs"],
    ["LOAD", "LOAD httpfs"],
    ["SET", "SET threads = 64"],
    ["CALL", "CALL pragma_version()"],
    ["CREATE", "CREATE TABLE x AS SELECT 1"],
    ["INSERT", "INSERT INTO t VALUES (1, 'x')"],
    ["EXPLAIN", "EXPLAIN SELECT 1"],
    ["EXPORT", "EXPORT DATABASE '/tmp/stolen'"],
    ["CREATE SECRET", "CREATE SECRET (TYPE s3)"],
    ["a statement within its brackets", "SELECT 1) TO '/tmp/stolen.csv'; COPY (SELECT 2"],
  ])("that is %s is refused", async (_, sql) => {
    await expect(ask(sql)).rejects.toMatchObject({ name: "InvalidQueryError" });
    expect(existsSync("/tmp/stolen.csv") || existsSync("/tmp/stolen.db")).toBe(false);
  });

  it.each([
    ["a text", () => "SELECT * FROM read_text('/etc/passwd')"],
    ["CSV", () => "SELECT * FROM read_csv('/etc/passwd')"],
    ["a table by its path", () => "SELECT * FROM '/etc/passwd'"],
    ["a way through its own view", () => `SELECT * FROM read_text('${table}/../../../../etc/passwd')`],
    ["the names of a folder", () => "SELECT * FROM glob('/etc/*')"],
    ["bytes", () => "SELECT * FROM read_blob('/proc/self/environ')"],
    ["an address", () => "SELECT * FROM read_csv('https://example.com/x.csv')"],
    ["a bucket", () => "SELECT * FROM read_parquet('s3://bucket/x.parquet')"],
    ["the environment", () => "SELECT getenv('PATH')"],
    ["another file of the organisation", () => `SELECT * FROM read_parquet('${other}')`],
    ["a file of another organisation", () => `SELECT * FROM read_csv('${test.path("foreign.csv", "eve")}')`],
    ["a query in a query", () => "SELECT * FROM query('SELECT * FROM read_text(''/etc/passwd'')')"],
    ["setting", () => "SELECT current_setting('temp_directory')"],
    ["settings in a condition", () => "SELECT 1 WHERE EXISTS (FROM duckdb_settings())"],
    ["paths of its views", () => "SELECT sql FROM duckdb_views()"],
    ["paths by a table of DuckDB", () => "SELECT * FROM information_schema.tables"],
    ["paths behind a part that is called so", () => "WITH duckdb_views AS (SELECT 1) SELECT * FROM main.duckdb_views"],
    [
      "relation of DuckDB that a part elsewhere is called like",
      () => "SELECT * FROM duckdb_views, (WITH duckdb_views AS (SELECT 1) SELECT * FROM duckdb_views)",
    ],
    ["list of tables", () => "SELECT * FROM (SHOW ALL TABLES)"],
    ["pragma", () => "SELECT * FROM pragma_database_list()"],
  ])("reads no %s", async (_, sql) => {
    await expect(ask(sql())).rejects.toThrow(/./);
  });

  it.each([
    ["a part by WITH", "WITH n AS (SELECT name FROM t WHERE id > 2) SELECT * FROM n"],
    ["a query within it", "SELECT name FROM (SELECT * FROM T) WHERE id = (SELECT max(id) FROM t)"],
    ["rows of its own", "SELECT name FROM t JOIN (VALUES (3)) v(n) ON id = n"],
    ["numbers in order", "SELECT name FROM t, range(3, 4) r WHERE id = r.range"],
    [
      "recursion",
      "WITH RECURSIVE r AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM r WHERE n < 3) SELECT name FROM t WHERE id = (SELECT max(n) FROM r)",
    ],
  ])("may have %s", async (_, sql) => {
    expect(rowsOf(await ask(sql))).toEqual([{ name: "cyd" }]);
  });

  it.each([
    ["SQL that is none", "SELEC 1", { line: 1, character: 1 }],
    ["a column that is not there", "SELECT id,\n  'é', age FROM t", { line: 2, character: 8 }],
    ["a view that is not there", "SELECT *\nFROM u", { line: 2, character: 6 }],
    ["a value that does not fit", "SELECT CAST(name AS INTEGER) FROM t", { line: 1, character: 8 }],
  ])("with %s is refused with its place and what to do", async (_, sql, place) => {
    const refused = await ask(sql).catch((error: unknown) => error);
    expect(refused).toMatchObject({ name: "InvalidQueryError", ...place });
    expect(refused).toHaveProperty("remedy", expect.stringMatching(/^[A-Z].*\.$/));
  });

  it.each([
    ["numbers without end", "SELECT count(*) FROM range(1000000000000) a"],
    ["recursion without end", "WITH RECURSIVE r AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM r) SELECT max(n) FROM r"],
    ["a product of tables", "SELECT count(*) FROM range(1000000) a, range(1000000) b WHERE hash(a.range, b.range) = 1"],
  ])("of %s is ended by its time", async (_, sql) => {
    await expect(ask(sql, { timeMs: 500 })).rejects.toMatchObject({ name: "EngineLimitError", limit: "time" });
  });

  it("that needs too much memory is ended, and the next one is answered", async () => {
    const sql = "SELECT list(repeat('x', 1000) || range) FROM range(100000000)";
    await expect(ask(sql)).rejects.toMatchObject({
      name: "EngineLimitError",
      limit: expect.stringMatching(/memory|disk/),
    });
    expect(rowsOf(await ask("SELECT 1 AS one"))).toEqual([{ one: 1 }]);
  });

  it("is answered up to its rows, and up to its bytes", async () => {
    expect(await ask("SELECT * FROM range(1000000000)", { limit: 3 })).toMatchObject({
      ...{ rowCount: 3, hasMore: true, isCut: false },
    });
    const page = await ask("SELECT repeat('x', 1000) AS x FROM range(1000)", { limit: 1_000, maxBytes: 10_000 });
    expect(page).toMatchObject({ rowCount: 9, hasMore: true, isCut: true });
  });

  it("tells no path of the machine when it fails", async () => {
    const refused = await ask(`SELECT * FROM read_parquet('${other}')`).catch((error: Error) => error.message);
    expect(refused).not.toContain(test.directory);
  });
});

describe("a path", () => {
  const read = (path: string) => test.engine.rows({ organisationId: "ada", files: [path], limit: 1 });

  it.each([
    ["of another organisation", () => test.path("foreign.csv", "eve")],
    ["that leads out of the folder", () => `${test.directory}/ada/../eve/foreign.csv`],
    ["of the machine", () => "/etc/passwd"],
    ["that is not there", () => test.path("nothing.parquet")],
  ])("%s is refused", async (_, path) => {
    await expect(read(path())).rejects.toMatchObject({ name: "ForeignPathError" });
  });

  it("of a link that leads out of the folder is refused", async () => {
    await symlink("/etc/passwd", test.path("link.parquet"));
    await expect(read(test.path("link.parquet"))).rejects.toMatchObject({ name: "ForeignPathError" });
  });

  it("of a result outside of the folder is refused", async () => {
    const files = [await test.file("a.csv", "a\n1\n")];
    const output = test.path("out.parquet", "eve");
    await expect(test.engine.convert({ organisationId: "ada", files, output })).rejects.toMatchObject({
      name: "ForeignPathError",
    });
  });
});

import { Type, tableFromIPC } from "@uwdata/flechette";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { InvalidQueryError, type Page } from "../src/index.ts";
import { openTestEngine, type TestEngine } from "./test-engine.ts";

let test: TestEngine;
beforeAll(async () => {
  test = await openTestEngine();
});
afterAll(() => test[Symbol.asyncDispose]());

const exact = { useBigInt: true, useBigIntTimestamp: true, useDecimalInt: true, useMap: true };
/** The reader wants numbers where their size divides the place: a copy begins at 0. */
const tableOf = ({ body }: Page, options = exact) => tableFromIPC(Uint8Array.from(body), options);

const query = (sql: string, limit = 100, maxBytes?: number) =>
  test.engine.query({
    ...{ organisationId: "ada", views: {}, sql, limit, format: "arrow" },
    ...(maxBytes !== undefined && { maxBytes }),
  });

/** The first value of the only column, and its type without what is not told apart here. */
async function oneOf(expression: string) {
  const table = tableOf(await query(`SELECT ${expression} AS a UNION ALL SELECT NULL`));
  const [column] = table.children;
  const { typeId, ...type } = table.schema.fields[0]?.type ?? { typeId: Type.NONE };
  const name = Object.entries(Type).find(([, id]) => id === typeId)?.[0];
  expect([column?.length, column?.at(1)]).toEqual([2, null]);
  return { name, type, value: column?.at(0) };
}

const micros = BigInt(Date.UTC(2026, 2, 2, 9, 30)) * 1_000n + 123_457n;

describe("a value in Arrow", () => {
  it.each<[expression: string, name: string, type: object, value: unknown]>([
    ["true", "Bool", {}, true],
    ["(-128)::TINYINT", "Int", { bitWidth: 8, signed: true }, -128],
    ["(-32768)::SMALLINT", "Int", { bitWidth: 16, signed: true }, -32_768],
    ["2147483647::INTEGER", "Int", { bitWidth: 32, signed: true }, 2_147_483_647],
    ["(-9223372036854775808)::BIGINT", "Int", { bitWidth: 64, signed: true }, -(2n ** 63n)],
    ["255::UTINYINT", "Int", { bitWidth: 8, signed: false }, 255],
    ["65535::USMALLINT", "Int", { bitWidth: 16, signed: false }, 65_535],
    ["4294967295::UINTEGER", "Int", { bitWidth: 32, signed: false }, 4_294_967_295],
    ["18446744073709551615::UBIGINT", "Int", { bitWidth: 64, signed: false }, 2n ** 64n - 1n],
    [
      "(-10000000000000000000000000000000000000)::HUGEINT",
      "Decimal",
      { precision: 38, scale: 0, bitWidth: 128 },
      -(10n ** 37n),
    ],
    ["0.1::FLOAT", "Float", { precision: 1 }, Math.fround(0.1)],
    ["'-inf'::DOUBLE", "Float", { precision: 2 }, Number.NEGATIVE_INFINITY],
    ["1.10::DECIMAL(4, 2)", "Decimal", { precision: 4, scale: 2, bitWidth: 128 }, 110n],
    [
      "(-99999999999999999999999999999999.999999)::DECIMAL(38, 6)",
      "Decimal",
      { precision: 38, scale: 6 },
      -(10n ** 38n - 1n),
    ],
    ["''", "Utf8", {}, ""],
    ["'ü€😀'", "Utf8", {}, "ü€😀"],
    ["'\\xFF\\x00'::BLOB", "Binary", {}, Uint8Array.of(255, 0)],
    ["DATE '1969-12-31'", "Date", { unit: 0 }, -86_400_000],
    ["TIME '09:30:00.123457'", "Time", { unit: 2, bitWidth: 64 }, 34_200_123_457n],
    ["TIMESTAMP '2026-03-02 09:30:00.123457'", "Timestamp", { unit: 2, timezone: null }, micros],
    ["TIMESTAMPTZ '2026-03-02 10:30:00.123457+01'", "Timestamp", { unit: 2, timezone: "UTC" }, micros],
    ["TIMESTAMP_S '1969-12-31 23:59:59'", "Timestamp", { unit: 0, timezone: null }, -1n],
    ["TIMESTAMP_MS '1970-01-01 00:00:00.001'", "Timestamp", { unit: 1, timezone: null }, 1n],
    ["TIMESTAMP_NS '2026-03-02 09:30:00.123457789'", "Timestamp", { unit: 3, timezone: null }, micros * 1_000n + 789n],
    ["'a'::ENUM ('a', 'b')", "Utf8", {}, "a"],
    ["'019c5c3e-0000-7000-8000-000000000001'::UUID", "Utf8", {}, "019c5c3e-0000-7000-8000-000000000001"],
    ["INTERVAL 3 DAYS", "Utf8", {}, "3 days"],
    ["'101'::BIT", "Utf8", {}, "101"],
    ["union_value(n := 1)", "Utf8", {}, "1"],
    ["union_value(n := NULL::INTEGER)", "Utf8", {}, null],
  ])("of %s has the type %s %o", async (expression, name, type, value) => {
    const found = await oneOf(expression);
    expect(found.name).toBe(name);
    expect(found.type).toMatchObject(type);
    expect(found.value).toEqual(value);
  });

  it("keeps its parts: lists, arrays, structures and maps, and what is missing in them", async () => {
    const at = "TIMESTAMP '2026-03-02 09:30:00.123457'";
    const lists = await oneOf(`[[1, NULL]::BIGINT[], NULL, []]`);
    expect(Array.from(lists.value, (item: Iterable<bigint> | null) => item && [...item])).toEqual([
      [1n, null],
      null,
      [],
    ]);
    const array = await oneOf("[1.5, NULL, 2]::FLOAT[3]");
    expect([array.name, [...array.value]]).toEqual(["FixedSizeList", [1.5, null, 2]]);
    expect((await oneOf(`{'at': ${at}, 'none': NULL::DATE}`)).value).toEqual({ at: micros, none: null });
    expect((await oneOf(`MAP {'a': ${at}, 'b': NULL}`)).value).toEqual(
      new Map([
        ["a", micros],
        ["b", null],
      ]),
    );
  });

  it("is refused where it has more digits than decimals of Arrow", async () => {
    const refused = await query("SELECT 100000000000000000000000000000000000000::HUGEINT AS a").catch((error) => error);
    expect(refused).toBeInstanceOf(InvalidQueryError);
    expect(refused).toMatchObject({ remedy: "Cast the column to DOUBLE or VARCHAR, or ask for JSON." });
  });
});

describe("rows in Arrow", () => {
  it("say whether more follow, and are a table also when there are none", async () => {
    const [some, none] = [await query("FROM range(5) t(a)", 3), await query("SELECT 1 AS a, 'x' AS b WHERE false")];
    expect(some).toMatchObject({ rowCount: 3, hasMore: true, isCut: false });
    expect(tableOf(some).schema.metadata).toEqual(new Map([["has_more", "true"]]));
    expect(tableOf(some).toColumns()).toEqual({ a: BigInt64Array.of(0n, 1n, 2n) });
    expect(none).toMatchObject({ rowCount: 0, hasMore: false });
    expect(tableOf(none).schema.metadata).toEqual(new Map([["has_more", "false"]]));
    expect([tableOf(none).names, tableOf(none).numRows]).toEqual([["a", "b"], 0]);
  });

  it("end early at their bytes, and a row that is larger alone is a page", async () => {
    const large = "SELECT repeat('x', 10_000) AS a, i FROM range(100) t(i)";
    const page = await query(large, 100, 64 * 1024);
    expect(page).toMatchObject({ hasMore: true, isCut: true });
    expect(page.body.length).toBeLessThanOrEqual(66 * 1024);
    expect(page.body.length).toBeGreaterThan(54 * 1024);
    expect(await query(large, 100, 100)).toMatchObject({ rowCount: 1, isCut: true });
  });

  it.each([
    ["texts of types that Arrow lacks", "union_value(a := repeat('x', 10_000))"],
    ["bits", "repeat('1', 10_000)::BIT"],
    ["arrays that are missing", "NULL::DOUBLE[1_000]"],
  ])("end early at their bytes where these are %s", async (_, value) => {
    const page = await query(`SELECT ${value} AS a FROM range(100)`, 100, 64 * 1024);
    expect(page).toMatchObject({ hasMore: true, isCut: true });
    expect(page.body.length).toBeLessThanOrEqual(66 * 1024);
  });

  it("of a version are those that JSON has, by any way to ask for them", async () => {
    const file = await test.parquet("rows.parquet", "id,name\n1,a\n2,\n3,c\n4,d\n");
    const asked = { organisationId: "ada", files: [file] } as const;
    for (const request of [
      { limit: 2 },
      { limit: 2, offset: 1, columns: ["name", "id"] },
      { limit: 9, where: { sql: '"id" > $1', parameters: [1n] }, orderBy: [{ column: "id", descending: true }] },
      { limit: 2, sample: { seed: 3 } },
    ]) {
      const [json, arrow] = [
        await test.engine.rows({ ...asked, ...request }),
        await test.engine.rows({ ...asked, ...request, format: "arrow" }),
      ];
      const table = tableOf(arrow, { ...exact, useBigInt: false });
      expect(table.toArray()).toEqual(JSON.parse(Buffer.from(json.body).toString()));
      expect({ ...arrow, body: "" }).toEqual({ ...json, body: "" });
    }
  });
});

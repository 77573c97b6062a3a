import { gzipSync, zstdCompressSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ConvertRequest, Progress } from "../src/index.ts";
import { faults, lines } from "./faulty-files.ts";
import { openTestEngine, rowsOf, type TestEngine } from "./test-engine.ts";

let test: TestEngine;
beforeAll(async () => {
  test = await openTestEngine();
});
afterAll(() => test[Symbol.asyncDispose]());

type Content = string | Uint8Array;

/** Converts files by their names. */
async function convert(contents: Readonly<Record<string, Content>>, limits: ConvertRequest["limits"] = {}) {
  const files = await Promise.all(Object.entries(contents).map(([name, content]) => test.file(name, content)));
  return await test.engine.convert({ organisationId: "ada", files, output: test.path("out.parquet"), limits });
}

async function converted(contents: Readonly<Record<string, Content>>) {
  const { columns, rowCount } = await convert(contents);
  const page = await test.engine.rows({ organisationId: "ada", files: [test.path("out.parquet")], limit: 100 });
  return { columns: columns.map(({ name, kind }) => `${name}: ${kind}`), rowCount, rows: rowsOf(page) };
}

describe("a CSV file", () => {
  it("gets the types that its values have, and keeps what a number would lose", async () => {
    const csv = [
      "\ufeffid;zip;share;day;at;local;open;empty;text",
      '1;01234;0.5;2026-01-02;2026-01-02T10:00+02:00;2026-01-02 10:00;yes;;"a ""b"";\nc"',
      "+9223372036854775807;99999;NA;2026-02-28;2026-01-02T10:00:00.25Z;2026-01-02;NO;;NA",
      " 3 ;00001;1e3;;;;;;",
    ].join("\r\n");
    expect(await converted({ "types.csv": csv })).toEqual({
      rowCount: 3,
      columns: [
        ...["id: integer", "zip: string", "share: number", "day: date", "at: date_time", "local: date_time"],
        ...["open: boolean", "empty: string", "text: string"],
      ],
      rows: [
        {
          ...{ id: 1, zip: "01234", share: 0.5, day: "2026-01-02", at: "2026-01-02T08:00:00Z" },
          ...{ local: "2026-01-02T10:00:00", open: true, empty: null, text: 'a "b";\nc' },
        },
        {
          ...{ id: "9223372036854775807", zip: "99999", share: null, day: "2026-02-28" },
          ...{ at: "2026-01-02T10:00:00.25Z", local: "2026-01-02T00:00:00", open: false, empty: null, text: "NA" },
        },
        { id: 3, zip: "00001", share: 1000, day: null, at: null, local: null, open: null, empty: null, text: null },
      ],
    });
  });

  it("takes the separator that its header has most, behind empty lines", async () => {
    expect((await converted({ "tabs.csv": "\n\na, b\tc\td\n1\t2\t3\n" })).rows).toEqual([{ "a, b": 1, c: 2, d: 3 }]);
  });

  it("makes a column of integers wider when a number follows far behind", async () => {
    const { columns } = await convert({ "wider.csv": `a\n${lines(30_000, String)}2.5\n` });
    expect(columns).toMatchObject([{ name: "a", type: "DOUBLE", kind: "number" }]);
  });

  it("may have hundreds of columns, which the smallest process reads within its memory", async () => {
    const names = Array.from({ length: 600 }, (_, column) => `c${column}`);
    const { rowCount, columns } = await convert({
      "wide.csv": `${names.join(",")}\n${names.map(() => 1).join(",")}\n`,
    });
    expect(rowCount).toBe(1);
    expect(columns).toHaveLength(600);
    expect(new Set(columns.map(({ kind }) => kind))).toEqual(new Set(["integer"]));
  });

  it("keeps the order of its rows, and of its files", async () => {
    const files = { "1.csv": `a\n${lines(40_000, String)}`, "2.csv": `a\n${lines(40_000, (line) => `${-line}`)}` };
    expect((await convert(files)).rowCount).toBe(80_000);
    const page = await test.engine.rows({
      ...{ organisationId: "ada", files: [test.path("out.parquet")] },
      ...{ offset: 39_998, limit: 4 },
    });
    expect(rowsOf(page)).toEqual([{ a: 40_000 }, { a: 40_001 }, { a: -2 }, { a: -3 }]);
  });

  it("keeps the order of a million rows, which several threads read", async () => {
    // More bytes than one thread reads at once.
    await convert({ "long.csv": `a,text\n${lines(1_000_000, (line) => `${line},this is the text of row ${line}`)}` });
    const file = test.path("out.parquet");
    for (let offset = 0; offset < 1_000_000; offset += 99_999) {
      const page = await test.engine.rows({ organisationId: "ada", files: [file], columns: ["a"], offset, limit: 1 });
      expect(rowsOf(page)).toEqual([{ a: offset + 2 }]);
    }
  });

  it.each([
    ["gzip", "packed.csv.gz", gzipSync],
    ["zstd", "packed.csv.zst", zstdCompressSync],
  ] as const)("is unpacked where it is said to be packed by %s", async (_, name, pack) => {
    expect((await converted({ [name]: pack("a,b\n1,x\n") })).rows).toEqual([{ a: 1, b: "x" }]);
  });
});

describe("a JSONL file", () => {
  it("has all keys and exact numbers, however late they come", async () => {
    const jsonl = `${lines(25_000, (line) => JSON.stringify({ a: line }))}{"a": 2.5, "b": {"c": ["x"]}, "d": "2026-01-02"}\n`;
    const { columns } = await convert({ "late.jsonl": jsonl });
    expect(columns.map(({ name, kind }) => `${name}: ${kind}`)).toEqual(["a: number", "b: struct", "d: date"]);
    const where = { sql: '"a" = $1', parameters: [2.5] };
    const page = await test.engine.rows({
      ...{ organisationId: "ada", files: [test.path("out.parquet")] },
      ...{ where, limit: 10 },
    });
    expect(rowsOf(page)).toEqual([{ a: 2.5, b: { c: ["x"] }, d: "2026-01-02" }]);
  });
});

describe("a file with", () => {
  it.each(faults)("%s is refused with its place and what to do", async (_, contents, fault, limits) => {
    const refused = await convert(contents, limits).catch((error: unknown) => error);
    expect(refused).toMatchObject({ name: "UnreadableFileError", ...fault });
    expect(refused).toHaveProperty("remedy", expect.stringMatching(/^[A-Z].*\.$/));
  });
});

describe("a conversion", () => {
  it("refuses a file that unpacks to far more than it is", async () => {
    const bomb = gzipSync(Buffer.alloc(80 * 1_048_576, "1\n"));
    const refused = convert({ "bomb.csv.gz": bomb });
    await expect(refused).rejects.toMatchObject({ rule: "compression", message: /200 times its size/ });
  });

  it.each([
    ["columns", { maxColumns: 2 }],
    ["rows", { maxRows: 1 }],
    ["input", { maxInputBytes: 10 }],
  ] as const)("has at most so many %s", async (limit, limits) => {
    await expect(convert({ "limits.csv": "a,b,c\n1,2,3\n4,5,6\n" }, limits)).rejects.toMatchObject({
      ...{ name: "EngineLimitError", limit },
    });
  });

  it("tells how many bytes it has read, from none to all of them", async () => {
    const told: Progress[] = [];
    const csv = `a,b\n${lines(300_000, (line) => `${line},text of row ${line}`)}`;
    await test.engine.convert({
      ...{ organisationId: "ada", files: [await test.file("told.csv", csv)], output: test.path("told.parquet") },
      onProgress: (progress) => told.push(progress),
    });
    expect(told.at(0)).toEqual({ bytesRead: 0, bytesTotal: csv.length });
    expect(told.at(-1)).toEqual({ bytesRead: csv.length, bytesTotal: csv.length });
    const read = told.map(({ bytesRead }) => bytesRead);
    expect(read).toEqual(read.toSorted((one, other) => one - other));
  });

  it("tells what it made, so that anyone can check it", async () => {
    const { sha256, sizeBytes } = await convert({ "small.csv": "a\n1\n" });
    const { createHash } = await import("node:crypto");
    const { readFile } = await import("node:fs/promises");
    const bytes = await readFile(test.path("out.parquet"));
    expect({ sha256, sizeBytes }).toEqual({
      sha256: createHash("sha256").update(bytes).digest("hex"),
      sizeBytes: bytes.length,
    });
  });
});

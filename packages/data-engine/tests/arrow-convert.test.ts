import * as arrow from "@uwdata/flechette";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { EngineLimitError, UnreadableFileError } from "../src/index.ts";
import { arrowFile, type Columns, rawArrow } from "./arrow-files.ts";
import { additions, nestedNulls, sharedName } from "./harmful-arrow.ts";
import { openTestEngine, rowsOf, type TestEngine } from "./test-engine.ts";

let test: TestEngine;
beforeAll(async () => {
  test = await openTestEngine();
});
afterAll(() => test[Symbol.asyncDispose]());

type Files = Readonly<Record<string, string | Uint8Array>>;

async function convert(contents: Files, limits = {}) {
  const files = await Promise.all(Object.entries(contents).map(([name, content]) => test.file(name, content)));
  const output = test.path("out.parquet");
  const { columns, rowCount } = await test.engine.convert({ organisationId: "ada", files, output, limits });
  const page = await test.engine.rows({ organisationId: "ada", files: [output], limit: 1_000 });
  return { types: columns.map(({ name, type }) => `${name} ${type}`), rowCount, rows: rowsOf(page) };
}
const faultOf = (contents: Files, limits = {}) =>
  convert(contents, limits).then(
    () => undefined,
    (error: unknown) => error,
  );

const field = (name: string, type: arrow.DataType) => arrow.field(name, type);
const everything: Columns = [
  ["flag", [true, null, false], arrow.bool()],
  ["tiny", [-128, null, 127], arrow.int8()],
  ["long", [2n ** 63n - 1n, null, -(2n ** 63n)], arrow.int64()],
  ["unsigned", [2n ** 64n - 1n, null, 0n], arrow.uint64()],
  ["half", [0.5, null, -2], arrow.float16()],
  ["single", [0.25, null, 1e30], arrow.float32()],
  ["double", [0.1, null, Number.NaN], arrow.float64()],
  ["money", [-110n, null, 10n ** 18n], arrow.decimal128(20, 2)],
  ["small", [-110n, null, 110n], arrow.decimal64(10, 2)],
  ["text", ["ü€😀", null, ""], arrow.utf8()],
  ["large", ["a", null, "b".repeat(300)], arrow.largeUtf8()],
  ["bytes", [Uint8Array.of(255, 0), null, Uint8Array.of()], arrow.binary()],
  ["fixed", [Uint8Array.of(1, 2), null, Uint8Array.of(3, 4)], arrow.fixedSizeBinary(2)],
  ["day", [Date.UTC(2026, 2, 2), null, Date.UTC(1969, 11, 31)], arrow.dateDay()],
  ["day_ms", [Date.UTC(2026, 2, 2), null, Date.UTC(1969, 11, 31)], arrow.dateMillisecond()],
  ["time", [1, null, 86_399_999], arrow.timeMillisecond()],
  ["at_s", [Date.UTC(2026, 2, 2), null, -1_000], arrow.timestamp(arrow.TimeUnit.SECOND)],
  ["at_us", [Date.UTC(2026, 2, 2) + 0.5, null, -0.125], arrow.timestamp(arrow.TimeUnit.MICROSECOND, "Europe/Oslo")],
  ["at_ns", [1.5, null, -1], arrow.timestamp(arrow.TimeUnit.NANOSECOND)],
  ["list", [[1, null], null, []], arrow.list(arrow.int32())],
  ["pair", [[1, 2], null, [3, null]], arrow.fixedSizeList(arrow.float32(), 2)],
  [
    "struct",
    [{ x: 1, y: ["a"] }, null, { x: null, y: null }],
    arrow.struct([field("x", arrow.int8()), field("y", arrow.list(arrow.utf8()))]),
  ],
  ["map", [[["k", 1]], null, []], arrow.map(arrow.utf8(), arrow.int32())],
  ["word", ["b", null, "a"], arrow.dictionary(arrow.utf8(), arrow.int8())],
  ["none", [null, null, null], arrow.nullType()],
];
const expectedTypes = [
  ...["flag BOOLEAN", "tiny TINYINT", "long BIGINT", "unsigned UBIGINT", "half FLOAT", "single FLOAT", "double DOUBLE"],
  ...["money DECIMAL(20,2)", "small DECIMAL(10,2)", "text VARCHAR", "large VARCHAR", "bytes BLOB", "fixed BLOB"],
  ...["day DATE", "day_ms DATE", "time TIME", "at_s TIMESTAMP", "at_us TIMESTAMP WITH TIME ZONE", "at_ns TIMESTAMP_NS"],
  ...["list INTEGER[]", "pair FLOAT[]", 'struct STRUCT("x" TINYINT, "y" VARCHAR[])', "map MAP(VARCHAR, INTEGER)"],
  ...["word VARCHAR", "none VARCHAR"],
];
const [first, last] = [
  {
    ...{
      flag: true,
      tiny: -128,
      long: "9223372036854775807",
      unsigned: "18446744073709551615",
      half: 0.5,
      single: 0.25,
    },
    ...{ double: 0.1, money: "-1.10", small: "-1.10", text: "ü€😀", large: "a", bytes: "/wA=", fixed: "AQI=" },
    ...{ day: "2026-03-02", day_ms: "2026-03-02", time: "00:00:00.001", at_s: "2026-03-02T00:00:00" },
    ...{ at_us: "2026-03-02T00:00:00.0005Z", at_ns: "1970-01-01T00:00:00.0015", list: [1, null], pair: [1, 2] },
    ...{ struct: { x: 1, y: ["a"] }, map: [{ key: "k", value: 1 }], word: "b", none: null },
  },
  {
    ...{ flag: false, tiny: 127, long: "-9223372036854775808", unsigned: 0, half: -2, double: "NaN" },
    ...{ money: "10000000000000000.00", small: "1.10", text: "", large: "b".repeat(300), bytes: "", fixed: "AwQ=" },
    ...{ day: "1969-12-31", day_ms: "1969-12-31", time: "23:59:59.999", at_s: "1969-12-31T23:59:59" },
    ...{ at_us: "1969-12-31T23:59:59.999875Z", at_ns: "1969-12-31T23:59:59.999", list: [], pair: [3, null] },
    ...{ struct: { x: null, y: null }, map: [], word: "a", none: null },
  },
];

describe("an Arrow file", () => {
  it.each([
    ["in the form of a file", { format: "file" }],
    ["in the form of a stream", { format: "stream" }],
    ["with a record batch for each row", { rows: 1 }],
    ["compressed with zstd", { codec: arrow.CompressionType.ZSTD }],
  ] as const)("%s keeps its types and values", async (_, written) => {
    const { types, rowCount, rows } = await convert({ "all.arrow": arrowFile(everything, written) });
    expect(types).toEqual(expectedTypes);
    expect(rowCount).toBe(3);
    expect(rows[0]).toEqual(first);
    expect(rows[1]).toEqual(Object.fromEntries(everything.map(([name]) => [name, null])));
    expect(rows[2]).toMatchObject(last);
  });

  it("may have many record batches that share a dictionary", async () => {
    const words = Array.from({ length: 5_000 }, (_, index) => `word ${index % 1_000}`);
    const type = arrow.dictionary(arrow.utf8(), arrow.int16());
    for (const codec of [null, arrow.CompressionType.ZSTD]) {
      await convert({ "many.arrow": arrowFile([["word", words, type]], { rows: 33, codec }) });
      const page = { organisationId: "ada", files: [test.path("out.parquet")], limit: 5_000 };
      expect(rowsOf(await test.engine.rows(page)).map(({ word }) => word)).toEqual(words);
    }
  });

  it("may have no rows", async () => {
    const empty = arrowFile(everything.map(([name, , type]) => [name, [], type]));
    expect(await convert({ "none.arrow": empty })).toEqual({ types: expectedTypes, rowCount: 0, rows: [] });
  });

  it("keeps the order of many rows, and stands before and behind files of other formats", async () => {
    const ids = Array.from({ length: 10_000 }, (_, index) => index);
    const files = {
      "1.csv": "id,note\n-1,x\n",
      "2.arrows": arrowFile(
        [
          ["id", ids, arrow.int16()],
          ["note", ids.map(() => null), arrow.nullType()],
        ],
        { format: "stream", rows: 3_000 },
      ),
      "3.feather": arrowFile([
        ["note", ["y"], arrow.utf8()],
        ["id", [10_000], arrow.int32()],
      ]),
    };
    const { types, rowCount } = await convert(files);
    expect([types, rowCount]).toEqual([["id BIGINT", "note VARCHAR"], 10_002]);
    const output = test.path("out.parquet");
    const page = await test.engine.rows({ organisationId: "ada", files: [output], offset: 9_998, limit: 4 });
    expect(rowsOf(page)).toEqual([
      ...[
        { id: 9_997, note: null },
        { id: 9_998, note: null },
        { id: 9_999, note: null },
        { id: 10_000, note: "y" },
      ],
    ]);
  });
});

const good = arrowFile([
  ["a", [1, 2, 3], arrow.int32()],
  ["b", ["x", "y", "z"], arrow.utf8()],
]);
const stream = arrowFile([["a", [1, 2, 3], arrow.int32()]], { format: "stream" });
const patched = (bytes: Buffer, at: number, patch: readonly number[]) => {
  const copy = Buffer.from(bytes);
  copy.set(patch, at < 0 ? bytes.length + at : at);
  return copy;
};
const utf8 = (offsets: number[], text: string | Uint8Array, length = offsets.length - 1) =>
  rawArrow(arrow.utf8(), {
    ...{ length, nullCount: 0, validity: Uint8Array.of(), offsets: Int32Array.from(offsets) },
    values: Uint8Array.from(Buffer.from(text)),
  });
const int32 = (values: number[], length: number, nullCount = 0) =>
  rawArrow(arrow.int32(), { length, nullCount, validity: Uint8Array.of(), values: Int32Array.from(values) });

describe("an Arrow file that cannot be read", () => {
  it.each<[what: string, file: Uint8Array | string, fault: object]>([
    ["is cut in its footer", good.subarray(0, -8), { rule: "damaged" }],
    ["is cut in a record batch", good.subarray(0, 500), { rule: "damaged" }],
    ["is nothing but the magic", "ARROW1\0\0", { rule: "damaged" }],
    ["is the magic twice", "ARROW1\0\0\0\0\0\0ARROW1", { rule: "damaged" }],
    ["is a stream without its end", stream.subarray(0, -8), { rule: "damaged" }],
    ["is a stream that is cut in a record batch", stream.subarray(0, -20), { rule: "damaged" }],
    ["has more bytes behind a stream", Buffer.concat([stream, stream]), { rule: "damaged" }],
    ["is a text", "a,b\n1,2\n3,4\n5,6\n", { rule: "damaged" }],
    ["is of version 1 of Feather", `FEA1${"x".repeat(100)}FEA1`, { rule: "unsupported" }],
    ["says that its metadata has 2 GB", patched(stream, 4, [0xff, 0xff, 0xff, 0x7f]), { rule: "damaged" }],
    ["has more rows than values", int32([1, 2], 2_000), { rule: "damaged", column: "a" }],
    ["has nulls and does not say where", int32([1, 2, 3], 3, 1), { rule: "damaged", column: "a" }],
    ["has more nulls than values", int32([1, 2, 3], 3, 4), { rule: "damaged" }],
    ["has offsets below zero", utf8([-4, 1, 2], "ab"), { rule: "damaged", column: "a" }],
    ["has offsets that go back", utf8([0, 2, 1], "ab"), { rule: "damaged", column: "a" }],
    ["has offsets behind its bytes", utf8([0, 1, 2_000_000_000], "ab"), { rule: "damaged", column: "a" }],
    [
      "has texts that are not UTF-8",
      utf8([0, 1, 2], Uint8Array.of(97, 255)),
      { rule: "utf8", column: "a", message: "A text is not in UTF-8 (record batch 1, row 2 of it)" },
    ],
    [
      "has two columns of one name",
      arrowFile([
        ["a", [1], arrow.int8()],
        ["A", [1], arrow.int8()],
      ]),
      { rule: "header", column: "A" },
    ],
    ["has a column without a name", arrowFile([["", [1], arrow.int8()]]), { rule: "header" }],
    ["has a type that is not read", arrowFile([["a", [1n], arrow.duration()]]), { rule: "unsupported", column: "a" }],
    [
      "has parts of microseconds with a zone",
      arrowFile([["a", [1e-6], arrow.timestamp(arrow.TimeUnit.NANOSECOND, "UTC")]]),
      { rule: "type", column: "a" },
    ],
    [
      "has a decimal with more digits than its type",
      arrowFile([["a", [100n], arrow.decimal128(2, 0)]]),
      { rule: "type", column: "a" },
    ],
    [
      "has a map with a key twice",
      arrowFile([
        [
          "a",
          [
            [
              ["k", 1],
              ["k", 2],
            ],
          ],
          arrow.map(arrow.utf8(), arrow.int8()),
        ],
      ]),
      { rule: "type", column: "a" },
    ],
    ["has a word that its dictionary lacks", rawDictionary(7), { rule: "damaged", column: "a" }],
    ["has a value of ten thousand million parts", nestedNulls(100_000), { rule: "cell", column: "a" }],
    ["has a thousand additions to a dictionary", additions(1_000), { rule: "unsupported" }],
    ["has columns that share one long name", sharedName(300, 8_000_000), { rule: "damaged" }],
  ])("because it %s is refused with what to do", async (_, file, fault) => {
    const error = await faultOf({ "bad.arrow": file });
    expect(error).toBeInstanceOf(UnreadableFileError);
    expect(error).toMatchObject({ file: "bad.arrow", ...fault, remedy: expect.stringMatching(/\.$/) });
  });

  it("because its columns have other types than those of the file before is refused by its name", async () => {
    const [one, other] = [arrowFile([["a", [1], arrow.int8()]]), arrowFile([["a", ["x"], arrow.utf8()]])];
    const error = await faultOf({ "1.arrow": one, "2.arrow": other });
    expect(error).toMatchObject({ file: "2.arrow", column: "a", rule: "type" });
  });

  it("because a record batch is larger than memory is refused before it is read", async () => {
    const error = await faultOf({ "big.arrow": arrowFile([["a", [new Uint8Array(65 * 1_048_576)], arrow.binary()]]) });
    expect(error).toMatchObject({ rule: "unsupported", message: expect.stringContaining("64 MiB") });
  });

  it("because it has more rows or columns, or a larger value, than it may have is refused", async () => {
    const many: Columns = [
      ["a", [1, 2, 3], arrow.int8()],
      ["b", ["x".repeat(2_000), "", ""], arrow.utf8()],
    ];
    const file = { "many.arrow": arrowFile(many) };
    expect(await faultOf(file, { maxRows: 2 })).toBeInstanceOf(EngineLimitError);
    expect(await faultOf(file, { maxColumns: 1 })).toBeInstanceOf(EngineLimitError);
    expect(await faultOf(file, { maxCellBytes: 1_000 })).toMatchObject({ rule: "cell", column: "b" });
  });
});

/** One index into a dictionary of two words. */
function rawDictionary(index: number): Buffer {
  const type = arrow.dictionary(arrow.utf8(), arrow.int8());
  const { data } = arrow.columnFromArray(["x", "y"], type);
  const [batch] = data;
  if (!batch) throw new Error("no batch");
  batch.values.set([index] as never, 1);
  return Buffer.from(arrow.tableToIPC(arrow.tableFromColumns([["a", new arrow.Column([batch], type)]]), {}) ?? []);
}

describe("an Arrow file with one bit that has changed", () => {
  it("is read or refused by a named fault, and the process goes on", async () => {
    const file = arrowFile(everything.slice(0, 24), { rows: 2 });
    // All parts of the file, in some 60 files: each conversion has a process of its own.
    const step = Math.max(1, Math.floor((file.length * 8) / 60));
    const outcomes = new Map<string, number>();
    for (let bit = 0; bit < file.length * 8; bit += step) {
      const changed = patched(file, bit >> 3, [(file[bit >> 3] ?? 0) ^ (1 << (bit & 7))]);
      const error = await faultOf({ "flipped.arrow": changed });
      const outcome = error instanceof UnreadableFileError ? error.rule : error === undefined ? "read" : String(error);
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    }
    const named = ["read", "damaged", "unsupported", "utf8", "type", "header"];
    expect([...outcomes.keys()].filter((outcome) => !named.includes(outcome))).toEqual([]);
    expect(outcomes.get("damaged")).toBeGreaterThan(10);
  }, 300_000);
});

import { mkdir } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { RowsRequest } from "../src/index.ts";
import { openTestEngine, rowsOf, type TestEngine } from "./test-engine.ts";

let test: TestEngine;
let files: string[];
beforeAll(async () => {
  test = await openTestEngine();
  const csv = (from: number) =>
    `id,group,note\n${Array.from({ length: 1_000 }, (_, index) => `${from + index},g${index % 3},${index % 2 ? "" : "x"}`).join("\n")}`;
  files = [await test.parquet("1.parquet", csv(0)), await test.parquet("2.parquet", csv(1_000))];
});
afterAll(() => test[Symbol.asyncDispose]());

const read = (request: Omit<RowsRequest, "organisationId" | "files">) =>
  test.engine.rows({ organisationId: "ada", files, ...request });
const ids = async (request: Omit<RowsRequest, "organisationId" | "files">) =>
  rowsOf(await read({ columns: ["id"], ...request })).map(({ id }) => id);

describe("rows", () => {
  it("follow each other over files, page by page", async () => {
    expect(await ids({ limit: 2 })).toEqual([0, 1]);
    expect(await ids({ offset: 998, limit: 4 })).toEqual([998, 999, 1_000, 1_001]);
    expect(await ids({ offset: 1_999, limit: 4 })).toEqual([1_999]);
    expect(await ids({ offset: 5_000, limit: 4 })).toEqual([]);
  });

  it("tell whether more follow", async () => {
    expect(await read({ offset: 1_998, limit: 1 })).toMatchObject({ rowCount: 1, hasMore: true });
    expect(await read({ offset: 1_998, limit: 2 })).toMatchObject({ rowCount: 2, hasMore: false });
  });

  it("are filtered and ordered, with the order of the files where they are equal", async () => {
    const where = { sql: '"group" = $1 AND "id" > $2', parameters: ["g0", 990n] };
    expect(await ids({ where, limit: 3 })).toEqual([993, 996, 999]);
    expect(await ids({ where, orderBy: [{ column: "id", descending: true }], offset: 1, limit: 2 })).toEqual([
      1_996, 1_993,
    ]);
    expect(await ids({ orderBy: [{ column: "group", descending: true }], offset: 1, limit: 2 })).toEqual([5, 8]);
  });

  it("are the same sample for the same seed, in their order", async () => {
    const sample = await ids({ sample: { seed: 7 }, limit: 50 });
    expect(await ids({ sample: { seed: 7 }, limit: 50 })).toEqual(sample);
    expect(await ids({ sample: { seed: 8 }, limit: 50 })).not.toEqual(sample);
    expect(sample).toEqual(sample.toSorted((one, other) => Number(one) - Number(other)));
    expect(new Set(sample).size).toBe(50);
  });

  it("have the columns of their file, in whatever folder it is", async () => {
    await mkdir(test.path("region=eu"));
    const inFolder = await test.parquet("region=eu/1.parquet", "id\n1\n2\n");
    const request = { organisationId: "ada", files: [inFolder] };
    for (const wanted of [{ limit: 2 }, { limit: 2, sample: { seed: 1 } }])
      expect(rowsOf(await test.engine.rows({ ...request, ...wanted }))).toEqual([{ id: 1 }, { id: 2 }]);
    const { columns } = await test.engine.statistics(request);
    expect(columns.map(({ name }) => name)).toEqual(["id"]);
    const made = await test.engine.queryToFile({
      ...{ organisationId: "ada", views: { v: [inFolder] }, sql: "SELECT * FROM v", output: test.path("made.parquet") },
    });
    expect(made.columns.map(({ name }) => name)).toEqual(["id"]);
  });

  it("of a column that is not there are refused", async () => {
    await expect(read({ columns: ["nothing"], limit: 1 })).rejects.toThrow("There is no column nothing");
  });
});

describe("statistics", () => {
  it("tell of each column what it holds", async () => {
    const { rowCount, columns } = await test.engine.statistics({ organisationId: "ada", files });
    expect(rowCount).toBe(2_000);
    const [id, group, note] = columns;
    expect(id).toMatchObject({
      ...{ nulls: 0, distinct: 2_000, isDistinctApproximate: false },
      ...{ min: 0, max: 1_999, mean: 999.5 },
    });
    expect(id?.quantiles.map(({ quantile, value }) => [quantile, Math.round(value / 10)])).toEqual([
      ...[
        [0.05, 10],
        [0.25, 50],
        [0.5, 100],
        [0.75, 150],
        [0.95, 190],
      ],
    ]);
    expect(id?.histogram).toHaveLength(20);
    expect(id?.histogram[0]).toEqual({ from: 0, to: 100, count: 100 });
    expect(group).toMatchObject({
      distinct: 3,
      min: "g0",
      max: "g2",
      top: [{ value: "g0", count: 668 }, { value: "g1" }, { value: "g2" }],
    });
    expect(note).toMatchObject({ nulls: 1_000, distinct: 1, top: [{ value: "x", count: 1_000 }] });
  });
});

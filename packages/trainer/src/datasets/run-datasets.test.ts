import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { DatasetError } from "./run-dataset.ts";
import { RunDatasets } from "./run-datasets.ts";

/** 2,500 rows in two row groups, as the platform writes them, with a column of each kind. */
const kinds = join(import.meta.dirname, "..", "..", "tests", "kinds.parquet");
const version = {
  ...{ name: "train", datasetId: "d", versionId: "v", number: 1, contentSha256: "ab", rowCount: 2_500, sizeBytes: 10 },
};
const told = [version, { ...version, name: "test" }];
const datasets = new RunDatasets({ pathOf: async () => kinds }, () => told);

describe("a dataset of a run", () => {
  it("has what the run says of it", () => {
    expect(datasets.named("train").version).toEqual(version);
  });

  it("is an error with the names where the run has no such name", () => {
    expect(() => datasets.named("valid")).toThrow('no data named "valid"; it names "train", "test": create it');
    const none = new RunDatasets({ pathOf: async () => "" }, () => []);
    expect(() => none.named("train")).toThrow("it names none");
  });

  it("is an error where the platform has not told what the run reads, and is there once it has", () => {
    let known: typeof told | undefined;
    const later = new RunDatasets({ pathOf: async () => "" }, () => known);
    expect(() => later.named("train")).toThrow(
      'does not tell which data the run reads, and "train" is needed: upgrade',
    );
    known = told;
    expect(later.named("train").version).toEqual(version);
  });

  it("gives a value of each kind", async () => {
    const [first] = await Array.fromAsync(datasets.named("train").batches({ size: 2 }));
    expect(first).toEqual([
      {
        ...{ id: 0, big: 9_007_199_254_740_993n, number: 0, flag: true, text: "text 0", price: 1.25, gap: null },
        ...{ bytes: new Uint8Array(Buffer.from("bytes 0")), list: [0, 1, null], nested: { a: 0, b: ["x", "y"] } },
        ...{ map: { k: 0 }, day: new Date("2026-03-01"), moment: new Date("2026-03-01T10:00:00.123Z") },
      },
      {
        ...{ id: 1, big: -1, number: 0.25, flag: false, text: "text 1", price: 1.25, gap: 1 },
        ...{ bytes: new Uint8Array(Buffer.from("bytes 1")), list: [1, 2, null], nested: { a: 1, b: ["x", "y"] } },
        ...{ map: { k: 1 }, day: new Date("2026-03-02"), moment: new Date("2026-03-01T11:00:00.123Z") },
      },
    ]);
  });

  it("gives its rows in their order, in lists of the size that is asked for, over row groups", async () => {
    const batches = await Array.fromAsync(datasets.named("train").batches({ columns: ["id"], size: 1_000 }));
    expect(batches.map(({ length }) => length)).toEqual([1_000, 1_000, 48, 452]);
    const rows = await Array.fromAsync(datasets.named("train").rows({ columns: ["id"] }));
    expect(rows).toEqual(Array.from({ length: 2_500 }, (_, id) => ({ id })));
  });

  it("is an error with the columns where there is no such column", async () => {
    const read = Array.fromAsync(datasets.named("train").rows({ columns: ["id", "weight"] }));
    await expect(read).rejects.toThrow('"train" has no column "weight"; its columns: id, big, number');
  });

  it.each([0, -1, 1.5, Number.NaN])("has no batches of %d rows", async (size) => {
    const batches = datasets.named("train").batches({ size });
    await expect(batches.next()).rejects.toThrow(RangeError);
    const again = datasets.named("train").batches({ size });
    await expect(again.next()).rejects.toThrow(`size is ${size}, and has to be a whole number of at least 1`);
  });
});

describe("a file that cannot be read", () => {
  let directory: string;
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), "rows-"));
  });
  afterEach(() => rm(directory, { recursive: true }));

  it.each([
    ["is no Parquet file", async () => Buffer.from("no Parquet file at all")],
    ["has damaged rows", async () => (await readFile(kinds)).fill(255, 4, 2_000)],
  ])("because it %s is an error that names the dataset", async (_, content) => {
    const path = join(directory, "rows.parquet");
    await writeFile(path, await content());
    const read = Array.fromAsync(new RunDatasets({ pathOf: async () => path }, () => told).named("train").rows());
    await expect(read).rejects.toThrow(DatasetError);
    await expect(read).rejects.toThrow('the rows of "train" cannot be read (');
  });
});

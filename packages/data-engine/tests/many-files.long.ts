import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openTestEngine, rowsOf, type TestEngine } from "./test-engine.ts";

let test: TestEngine;
beforeAll(async () => {
  test = await openTestEngine();
});
afterAll(() => test[Symbol.asyncDispose]());

/** Converts files by their names, in this order. */
async function convert(contents: readonly (readonly [name: string, csv: string])[]) {
  const files = await Promise.all(contents.map(([name, csv]) => test.file(name, csv)));
  return await test.engine.convert({ organisationId: "ada", files, output: test.path("out.parquet") });
}

describe("many files", () => {
  it("are read in their order, within the memory of a process", async () => {
    const rows = (file: number) => Array.from({ length: 10 }, (_, row) => `${file * 10 + row},t${file}\n`).join("");
    const contents = Array.from({ length: 1_000 }, (_, file) => [`${file}.csv`, `n,text\n${rows(file)}`] as const);
    const { rowCount } = await convert(contents);
    expect(rowCount).toBe(10_000);
    const page = { organisationId: "ada", files: [test.path("out.parquet")], columns: ["n"], limit: 10_000 };
    const found = rowsOf(await test.engine.rows(page)).map(({ n }) => n);
    expect(found).toEqual(Array.from({ length: 10_000 }, (_, row) => row));
  });

  it("name the one that has a fault, whichever it is", async () => {
    const contents = Array.from({ length: 150 }, (_, file) => {
      const rows = Array.from({ length: 20_500 }, () => "1\n").join("");
      return [`one-${file}.csv`, file === 120 ? `n\n${rows}x\n` : "n\n1\n"] as const;
    });
    const failed = convert(contents);
    await expect(failed).rejects.toMatchObject({ file: "one-120.csv", column: "n", line: 20_502 });
  });
});

import { mkdir, readFile, writeFile } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { LaidVectors, NearestRequest, VectorMetric } from "../src/index.ts";
import { openTestEngine, type TestEngine } from "./test-engine.ts";

const organisationId = "ada";
const [rowCount, dimensions, exactRows] = [3_000, 12, 2_000];
/** Called like a column of the files and its value. */
const folder = "row=9";
/** A row without a direction, and one that is the same as another. */
const [zeroRow, twinRow] = [7, 11];

/** The same numbers on every machine, between -1 and 1. */
function* numbers(): Generator<number, never> {
  for (let state = 1; ; ) {
    state = (state * 48_271) % 2_147_483_647;
    yield Math.fround((state / 2_147_483_647) * 2 - 1);
  }
}

const next = numbers();
/** Around some points, as vectors of texts are: rows of one subject are near each other. */
const subjects = Array.from({ length: 40 }, () => Array.from({ length: dimensions }, () => next.next().value));
const vectors = Array.from({ length: rowCount }, (_, row) => {
  const subject = subjects[row % subjects.length] ?? [];
  return subject.map((number) => (row === zeroRow ? 0 : Math.fround(number + next.next().value * 0.3)));
});
vectors[twinRow + 1] = [...(vectors[twinRow] ?? [])];

const dot = (one: readonly number[], other: readonly number[]) =>
  one.reduce((sum, number, at) => sum + number * (other[at] ?? 0), 0);
const distances: Readonly<Record<VectorMetric, (one: readonly number[], other: readonly number[]) => number>> = {
  cosine: (one, other) => 1 - dot(one, other) / Math.sqrt(dot(one, one) * dot(other, other)),
  l2: (one, other) => Math.hypot(...one.map((number, at) => number - (other[at] ?? 0))),
  dot: (one, other) => -dot(one, other),
};

/** The nearest rows in truth. */
function expected(metric: VectorMetric, wanted: readonly number[], limit: number, isKept = (_row: number) => true) {
  return vectors
    .flatMap((vector, row) => (isKept(row) ? [{ row, distance: distances[metric](wanted, vector) }] : []))
    .filter(({ distance }) => Number.isFinite(distance))
    .toSorted((one, other) => one.distance - other.distance || one.row - other.row)
    .slice(0, limit);
}

let test: TestEngine;
let file: string;
let rowsFile: string;
beforeAll(async () => {
  test = await openTestEngine();
  await mkdir(test.path(folder));
  const convert = async (name: string, lines: readonly unknown[]) => {
    const source = await test.file(`${name}.jsonl`, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
    const output = test.path(`${folder}/${name}.parquet`);
    await test.engine.convert({ organisationId, files: [source], output });
    return output;
  };
  file = await convert(
    "vectors",
    vectors.map((vector, row) => ({ row, vector })),
  );
  // A column that is called as ours are.
  rowsFile = await convert(
    "rows",
    vectors.map((_, row) => ({ row: row % 100, file_row_number: 1, name: row % 2 ? "odd" : null })),
  );
});
afterAll(() => test[Symbol.asyncDispose]());

async function laid(metric: VectorMetric, name: string, exact = exactRows): Promise<LaidVectors & { path: string }> {
  const path = test.path(`${name}.cells`);
  const made = { organisationId, vectors: file, metric, dimensions, exactRows: exact, output: path };
  return { ...(await test.engine.layVectors(made)), path };
}

const nearest = (cells: string, wanted: Omit<NearestRequest, "organisationId" | "cells">) =>
  test.engine.nearest({ organisationId, cells, ...wanted });
/** Far from all subjects. */
const strangers = Array.from({ length: 100 }, () => Array.from({ length: dimensions }, () => next.next().value));
const probe = Array.from({ length: dimensions }, () => next.next().value);

describe.each(["cosine", "l2", "dot"] as const)("vectors that are laid out by %s", (metric) => {
  it("are all compared while there are few", async () => {
    const { path, ...made } = await laid(metric, `${metric}-exact`, rowCount);
    expect(made).toMatchObject({ cells: 1, recall: 1, rowCount: metric === "cosine" ? rowCount - 1 : rowCount });
    const found = await nearest(path, { vector: probe, limit: 50 });
    const truth = expected(metric, probe, 50);
    expect(found.map(({ row }) => row)).toEqual(truth.map(({ row }) => row));
    for (const [at, { distance }] of found.entries()) expect(distance).toBeCloseTo(truth[at]?.distance ?? 0, 5);
  });

  it("are found in the cells that are near when there are many", async () => {
    const { path, cells, recall } = await laid(metric, `${metric}-cells`);
    expect(cells).toBeGreaterThan(100);
    expect(recall).toBeGreaterThanOrEqual(0.98);
    /** Share of the ten nearest rows that is found. */
    const found = async (probes: readonly (readonly number[])[]) => {
      let count = 0;
      for (const vector of probes) {
        const rows = new Set((await nearest(path, { vector, limit: 10 })).map(({ row }) => row));
        count += expected(metric, vector, 10).filter(({ row }) => rows.has(row)).length;
      }
      return count / (probes.length * 10);
    };
    expect(await found(vectors.slice(100, 200))).toBeGreaterThanOrEqual(0.95);
    // Of what is like no vector, some are missed: a search that compared all vectors would find all.
    expect(await found(strangers)).toBeLessThan(1);
  });

  it("are found by a filter that keeps few, however far they are, and by none that keeps nothing", async () => {
    const { path } = await laid(metric, `${metric}-kept`);
    const where = { sql: '("row" = $1 AND name IS NULL)', parameters: [42] };
    const kept = { file: rowsFile, rows: rowCount, where };
    // Fewer than are kept: the cells that are near have other rows, and the search has to look further.
    for (const limit of [5, 100]) {
      const truth = expected(metric, probe, limit, (row) => row % 100 === 42);
      expect(truth).toHaveLength(Math.min(limit, 30));
      const found = await nearest(path, { vector: probe, limit, kept });
      expect(found.map(({ row }) => row)).toEqual(truth.map(({ row }) => row));
    }
    const nothing = { ...kept, where: { ...where, parameters: [43] } };
    expect(await nearest(path, { vector: probe, limit: 100, kept: nothing })).toEqual([]);
  });
});

describe("a search", () => {
  it("leaves out the row that is asked about, and no other that is the same", async () => {
    const { path } = await laid("l2", "twins");
    const [first] = await nearest(path, { vector: vectors[twinRow] ?? [], limit: 1, exceptRow: twinRow });
    expect(first).toEqual({ row: twinRow + 1, distance: 0 });
  });

  it("finds as many rows as are asked for, when the near cells have fewer", async () => {
    const { path } = await laid("cosine", "many");
    expect(await nearest(path, { vector: probe, limit: rowCount })).toHaveLength(rowCount - 1);
  });

  it("of the same vectors reads the same file", async () => {
    const { sha256 } = await laid("dot", "first");
    expect((await laid("dot", "second")).sha256).toBe(sha256);
  });

  it("is refused in a file that has no cells, and in one that was cut off", async () => {
    const { path } = await laid("cosine", "whole");
    await writeFile(test.path("cut.cells"), (await readFile(path)).subarray(0, -4));
    for (const wrong of [file, test.path("cut.cells")])
      await expect(nearest(wrong, { vector: probe, limit: 1 })).rejects.toMatchObject({ name: "EngineStoppedError" });
  });
});

import { randomUUID } from "node:crypto";
import { mkdir, mkdtempDisposable, open } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type DataEngine,
  openDataEngine,
  defaultExactRows as rowCount,
  type VectorMetric,
} from "@aiplatform/data-engine";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { nearestQuery } from "../src/embeddings/nearest-query.ts";
import { vectorRows } from "../src/embeddings/vector-rows.ts";

const organisationId = randomUUID();
const dimensions = 64;
const limit = 10;
/** Of a search at the bound, on a busy machine with two processors. */
const maxSearchMs = 20_000;
const cleanUp = new AsyncDisposableStack();
let engine: DataEngine;
let vectorsPath: string;
let rowsPath: string;

/** The same numbers on every machine, between -1 and 1. */
function* numbers(): Generator<number, never> {
  for (let state = 1; ; ) {
    state = (state * 48_271) % 2_147_483_647;
    yield Math.fround((state / 2_147_483_647) * 2 - 1);
  }
}

const next = numbers();
const vectors = Array.from({ length: rowCount }, () =>
  Float32Array.from({ length: dimensions }, () => next.next().value),
);

/** As many rows as are all compared, in a file of several row groups beside a file of vectors with others. */
beforeAll(async () => {
  const directory = cleanUp.use(await mkdtempDisposable(join(tmpdir(), "nearest-"))).path;
  const folder = join(directory, organisationId);
  await mkdir(folder, { mode: 0o755 });
  const options = { sandbox: "none", sandboxSetting: "DATA_SANDBOX", directory, maxProcesses: 1, memoryMiB: 1_024 };
  const quiet = { info: () => {}, warn: () => {} };
  engine = cleanUp.use(await openDataEngine({ ...options, temporaryDiskMiB: 4_096, idleMs: 60_000, logger: quiet }));
  const write = async (name: string, line: (row: number) => unknown) => {
    const path = join(folder, `${name}.jsonl`);
    await using file = await open(path, "w", 0o644);
    for (let from = 0; from < rowCount; from += 1_000) {
      const lines = Array.from({ length: 1_000 }, (_, at) => `${JSON.stringify(line(from + at))}\n`);
      await file.writeFile(lines.join(""));
    }
    const output = join(folder, `${name}.parquet`);
    await engine.convert({ organisationId, files: [{ path, name, format: "jsonl" }], output });
    return output;
  };
  vectorsPath = await write("vectors", (row) => ({ row, vector: [...(vectors[row] ?? [])] }));
  // Wide, so that its groups have fewer rows than those of the vectors.
  const wide = Object.fromEntries(Array.from({ length: 150 }, (_, at) => [`w${at}`, 1]));
  rowsPath = await write("rows", (row) => ({ row: rowCount - row, vector: row % 7, ...wide }));
}, 600_000);
afterAll(() => cleanUp.disposeAsync());

const distances: Readonly<Record<VectorMetric, (one: Float32Array, other: Float32Array) => number>> = {
  cosine: (one, other) => 1 - dot(one, other) / Math.sqrt(dot(one, one) * dot(other, other)),
  l2: (one, other) => Math.sqrt(one.reduce((sum, number, at) => sum + (number - (other[at] ?? 0)) ** 2, 0)),
  dot: (one, other) => -dot(one, other),
};
const dot = (one: Float32Array, other: Float32Array) =>
  one.reduce((sum, number, at) => sum + number * (other[at] ?? 0), 0);

/** All rows by their distance, computed here. */
function expected(metric: VectorMetric, wanted: Float32Array, isKept: (row: number) => boolean) {
  const all = vectors.flatMap((vector, row) =>
    isKept(row) ? [{ row, distance: distances[metric](wanted, vector) }] : [],
  );
  return all.toSorted((one, other) => one.distance - other.distance).slice(0, limit);
}

const metrics: readonly VectorMetric[] = ["cosine", "l2", "dot"];
const wantedVector = () => Float32Array.from({ length: dimensions }, () => next.next().value);

describe.each(metrics)("a search by %s among as many vectors as are all compared, laid out for it", (metric) => {
  it("finds the nearest, all of them, with and without a filter", async () => {
    const output = `${vectorsPath}.${metric}.cells`;
    const began = performance.now();
    const laid = await engine.layVectors({ organisationId, vectors: vectorsPath, metric, dimensions, output });
    console.log(`${metric}: laid out in ${((performance.now() - began) / 1_000).toFixed(1)} s`);
    expect(laid).toMatchObject({ cells: 1, rowCount });
    const wanted = wantedVector();
    const where = { sql: '("vector" = $1)', parameters: [3] };
    for (const kept of [undefined, { file: rowsPath, rows: rowCount, where }]) {
      const searchedAt = performance.now();
      const search = { organisationId, cells: output, vector: [...wanted], limit, ...(kept && { kept }) };
      const found = await engine.nearest(search);
      const tookMs = performance.now() - searchedAt;
      const truth = expected(metric, wanted, (row) => !kept || row % 7 === 3);
      expect(found.map(({ row }) => row)).toEqual(truth.map(({ row }) => row));
      for (const [at, { distance }] of found.entries()) expect(distance).toBeCloseTo(truth[at]?.distance ?? 0, 4);
      console.log(
        `${metric}${kept ? " with a filter" : ""}: ${rowCount} vectors of ${dimensions} in ${tookMs.toFixed(0)} ms`,
      );
      expect(tookMs).toBeLessThan(maxSearchMs);
    }
  });

  it("finds nearly all of them in cells, although these vectors are nowhere near each other", async () => {
    const output = `${vectorsPath}.${metric}.many`;
    const laying = { organisationId, vectors: vectorsPath, metric, dimensions, output, exactRows: rowCount - 1 };
    const { cells, recall } = await engine.layVectors(laying);
    expect(cells).toBeGreaterThan(100);
    let found = 0;
    const searches = 20;
    for (let search = 0; search < searches; search++) {
      const wanted = wantedVector();
      const near = await engine.nearest({ organisationId, cells: output, vector: [...wanted], limit });
      const rows = new Set(near.map(({ row }) => row));
      found += expected(metric, wanted, () => true).filter(({ row }) => rows.has(row)).length;
    }
    console.log(`${metric}: ${cells} cells, recall ${found / (searches * limit)}, ${recall} when they were laid out`);
    expect(found / (searches * limit)).toBeGreaterThanOrEqual(0.95);
  });
});

describe("a search among as many vectors as are all compared, without a file for it", () => {
  const cases = metrics.flatMap((metric) => [
    { metric, filter: undefined },
    { metric, filter: 3 },
  ]);

  it.each(cases)("finds the nearest by $metric, all of them, with the filter $filter", async ({ metric, filter }) => {
    const wanted = wantedVector();
    const where = filter === undefined ? undefined : { sql: '("vector" = $1)', parameters: [filter] };
    const vector = [...wanted];
    const query = nearestQuery({ metric, dimensions, vector, where, exceptRow: undefined, limit });
    const began = performance.now();
    const views = { vectors: [vectorsPath], ...(where && { version_rows: [rowsPath] }) };
    const page = await engine.query({ organisationId, views, ...query, limit });
    const tookMs = performance.now() - began;
    const found = vectorRows(page.body);
    const wantedRows = expected(metric, wanted, (row) => filter === undefined || row % 7 === filter);
    expect(found.map(({ row }) => row)).toEqual(wantedRows.map(({ row }) => row));
    for (const [at, { distance }] of found.entries()) expect(distance).toBeCloseTo(wantedRows[at]?.distance ?? 0, 4);
    console.log(
      `${metric}${where ? " with a filter" : ""}: ${rowCount} vectors of ${dimensions} in ${tookMs.toFixed(0)} ms`,
    );
    expect(tookMs).toBeLessThan(maxSearchMs);
  });
});

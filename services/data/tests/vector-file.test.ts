import { randomUUID } from "node:crypto";
import { mkdir, mkdtempDisposable } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openDataEngine } from "@aiplatform/data-engine";
import { expect, it } from "vitest";
import type { EmbeddingPart } from "../src/embeddings/embedding-part-store.ts";
import { writeVectorFile } from "../src/embeddings/vector-file.ts";
import { vectorRows } from "../src/embeddings/vector-rows.ts";

const organisationId = randomUUID();
const dimensions = 3;

/** Whole numbers come before fractions, and a batch is a piece. */
const batches = [
  [
    [1, 0, -2],
    [3, 4, 16_777_216],
  ],
  [
    [0.5, -0.25, 3.402_823_4e38],
    [1e-38, 0.1, 2],
  ],
  [[7, 8, 9]],
];

async function* parts(): AsyncGenerator<EmbeddingPart> {
  let firstRow = 0;
  for (const batch of batches) {
    const vectors = batch.map((numbers) => Float32Array.from(numbers));
    yield { firstRow, keys: vectors.map((_, at) => `${firstRow + at}`), vectors };
    firstRow += vectors.length;
  }
}

it("keeps all vectors, in their order, when its pieces have numbers of different kinds", async () => {
  await using home = await mkdtempDisposable(join(tmpdir(), "vector-file-"));
  const folder = join(home.path, organisationId);
  await mkdir(folder);
  await using engine = await openDataEngine({
    ...{ sandbox: "none", sandboxSetting: "DATA_SANDBOX", directory: home.path },
    ...{ maxProcesses: 1, memoryMiB: 1_024, threads: 1, temporaryDiskMiB: 256, idleMs: 60_000 },
    logger: { info: () => {}, warn: () => {} },
  });
  const output = join(folder, "vectors.parquet");
  const file = { organisationId, dimensions, folder, output, maxPieceNumbers: 2 * dimensions };
  const { rowCount, columns } = await writeVectorFile(engine, parts(), file, new AbortController().signal);
  expect(rowCount).toBe(5);
  expect(columns.map(({ name, type }) => `${name} ${type}`)).toEqual(["row BIGINT", "key VARCHAR", "vector FLOAT[]"]);
  const rows = vectorRows((await engine.rows({ organisationId, files: [output], limit: 10 })).body);
  expect(rows.map(({ row, key }) => `${row} ${key}`)).toEqual(["0 0", "1 1", "2 2", "3 3", "4 4"]);
  expect(rows.map(({ vector }) => vector.map(Math.fround))).toEqual(
    batches.flat().map((each) => each.map(Math.fround)),
  );
});

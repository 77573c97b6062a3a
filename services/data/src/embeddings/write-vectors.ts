import { mkdir, open, rm } from "node:fs/promises";
import { join } from "node:path";
import type { DataEngine } from "@aiplatform/data-engine";
import type { StoredArtifacts } from "../other-services/stored-artifacts.ts";
import type { ParquetCache } from "../parquet-cache/parquet-cache.ts";
import type { Embedding, VectorData } from "./embedding.ts";
import type { EmbeddingPartStore } from "./embedding-part-store.ts";
import { digits32 } from "./row-inputs.ts";

export interface WriteVectorsDependencies {
  parts: EmbeddingPartStore;
  artifacts: Pick<StoredArtifacts, "store">;
  cache: ParquetCache;
  engine: Pick<DataEngine, "convert" | "queryToFile">;
}

/** Bytes of a number as text, with what separates it, at most; and of what stands beside a vector. */
const [numberBytes, besideBytes] = [16, 100];

/** Writes all vectors of an embedding into one Parquet file, and stores it. Killed anywhere, it is done again from the start. */
export async function writeVectors(
  { parts, artifacts, cache, engine }: WriteVectorsDependencies,
  embedding: Embedding,
  signal: AbortSignal,
): Promise<VectorData> {
  const { id, organisationId, rowCount, dimensions = 0 } = embedding;
  const folder = join(await cache.folderOf(organisationId), `embedding-${id}`);
  // What a killed process has left is not complete.
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { mode: 0o755 });
  try {
    using _room = await cache.reserve(rowCount * (dimensions * numberBytes + besideBytes));
    const [lines, staged, output] = ["vectors.jsonl", "staged.parquet", "vectors.parquet"].map((name) =>
      join(folder, name),
    );
    if (!lines || !staged || !output) throw new Error("a path of the vectors is missing");
    await writeLines(parts, embedding, lines);
    const files = [{ path: lines, name: "vectors", format: "jsonl" as const }];
    await engine.convert({ organisationId, files, output: staged, signal });
    const sql = `SELECT "row", "key", CAST(vector AS FLOAT[${dimensions}]) AS vector FROM staged ORDER BY "row"`;
    const written = await engine.queryToFile({ organisationId, views: { staged: [staged] }, sql, output, signal });
    if (written.rowCount !== rowCount) throw new Error(`${written.rowCount} vectors were written of ${rowCount}`);
    const { sha256, sizeBytes } = written;
    const artifact = { organisationId, sha256, sizeBytes };
    await artifacts.store(artifact, { path: output, sizeBytes }, signal);
    await cache.adopt(artifact, output).catch(() => undefined);
    return { sha256, sizeBytes };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The parts as lines of JSON, with numbers that are exact in 32 bits. */
async function writeLines(parts: EmbeddingPartStore, embedding: Embedding, path: string): Promise<void> {
  await using file = await open(path, "w", 0o644);
  for await (const { firstRow, keys, vectors } of parts.each(embedding)) {
    const lines = vectors.map((vector, at) => {
      const numbers = Array.from(vector, (number) => Number(number.toPrecision(digits32)));
      return `${JSON.stringify({ row: firstRow + at, key: keys[at], vector: numbers })}\n`;
    });
    await file.writeFile(lines.join(""));
  }
}

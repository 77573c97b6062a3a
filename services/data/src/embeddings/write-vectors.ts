import { type FileHandle, mkdir, open, rm } from "node:fs/promises";
import { join } from "node:path";
import type { DataEngine } from "@aiplatform/data-engine";
import type { StoredArtifacts } from "../other-services/stored-artifacts.ts";
import type { ParquetCache } from "../parquet-cache/parquet-cache.ts";
import type { Embedding, SearchData, VectorData } from "./embedding.ts";
import type { EmbeddingPart, EmbeddingPartStore } from "./embedding-part-store.ts";
import { digits32 } from "./row-inputs.ts";

export interface WriteVectorsDependencies {
  parts: Pick<EmbeddingPartStore, "each">;
  artifacts: Pick<StoredArtifacts, "store">;
  cache: Pick<ParquetCache, "folderOf" | "reserve" | "adopt">;
  engine: Pick<DataEngine, "convert" | "queryToFile" | "layVectors">;
}

/** What an embedding has once it is ready. */
export interface WrittenVectors {
  data: VectorData;
  search: SearchData;
}

/** Numbers that are read at once: they stand in memory. */
const pieceNumbers = 8_000_000;
/** Bytes of a number as text, with what separates it, at most; of one in all files that are made of them; and of what stands beside a vector. */
const [textBytes, fileBytes, besideBytes] = [16, 16, 100];
/** Of laying out as many vectors as there may be, on a busy machine. */
const layMs = 7_200_000;

/** A folder for the files of one embedding. */
interface Writing {
  embedding: Embedding;
  folder: string;
  signal: AbortSignal;
}

/**
 * Writes all vectors of an embedding into one Parquet file, lays them out for searches in another one, and stores both. Killed anywhere, it is done again from the
 * start: the same vectors make the same files.
 */
export async function writeVectors(
  dependencies: WriteVectorsDependencies,
  embedding: Embedding,
  signal: AbortSignal,
): Promise<WrittenVectors> {
  const { cache } = dependencies;
  const { id, organisationId, rowCount, dimensions = 0 } = embedding;
  const folder = join(await cache.folderOf(organisationId), `embedding-${id}`);
  // What a killed process has left is not complete.
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { mode: 0o755 });
  try {
    const text = Math.min(pieceNumbers, rowCount * dimensions) * textBytes;
    using _room = await cache.reserve(text + rowCount * (dimensions * fileBytes + besideBytes));
    const writing = { embedding, folder, signal };
    const staged = await stagePieces(dependencies, writing);
    return await store(dependencies, writing, staged);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** All vectors in Parquet files, one behind the other. */
async function stagePieces({ parts, engine }: WriteVectorsDependencies, writing: Writing): Promise<string[]> {
  const { embedding, folder, signal } = writing;
  const { organisationId, dimensions = 1 } = embedding;
  const maxRows = Math.max(1, Math.floor(pieceNumbers / dimensions));
  const staged: string[] = [];
  const path = join(folder, "vectors.jsonl");
  let file: FileHandle | undefined;
  let rows = 0;
  const finish = async () => {
    await file?.close();
    file = undefined;
    if (rows === 0) return;
    rows = 0;
    const output = join(folder, `staged-${staged.length}.parquet`);
    const files = [{ path, name: "vectors", format: "jsonl" as const }];
    await engine.convert({ organisationId, files, output, signal });
    staged.push(output);
  };
  try {
    for await (const part of parts.each(embedding)) {
      signal.throwIfAborted();
      if (rows > 0 && rows + part.vectors.length > maxRows) await finish();
      file ??= await open(path, "w", 0o644);
      await file.writeFile(linesOf(part));
      rows += part.vectors.length;
    }
    await finish();
  } finally {
    await file?.close();
  }
  return staged;
}

async function store(
  { artifacts, cache, engine }: WriteVectorsDependencies,
  { embedding, folder, signal }: Writing,
  staged: readonly string[],
): Promise<WrittenVectors> {
  const { organisationId, rowCount, dimensions = 0, recipe } = embedding;
  const [vectors, cells] = [join(folder, "vectors.parquet"), join(folder, "vectors.cells")];
  // In the order of the files, which is that of the rows.
  const sql = `SELECT "row", "key", CAST(vector AS FLOAT[${dimensions}]) AS vector FROM staged`;
  const views = { staged };
  const written = await engine.queryToFile({ organisationId, views, sql, output: vectors, signal });
  if (written.rowCount !== rowCount) throw new Error(`${written.rowCount} vectors were written of ${rowCount}`);
  const laying = { organisationId, vectors, metric: recipe.metric, dimensions, output: cells, signal };
  const laid = await engine.layVectors({ ...laying, limits: { timeMs: layMs } });
  for (const [{ sha256, sizeBytes }, path] of [[written, vectors] as const, [laid, cells] as const]) {
    const artifact = { organisationId, sha256, sizeBytes };
    await artifacts.store(artifact, { path, sizeBytes }, signal);
    await cache.adopt(artifact, path).catch(() => undefined);
  }
  return {
    data: { sha256: written.sha256, sizeBytes: written.sizeBytes },
    search: { sha256: laid.sha256, sizeBytes: laid.sizeBytes, cells: laid.cells, recall: laid.recall },
  };
}

/** A part as lines of JSON, with numbers that are exact in 32 bits. */
function linesOf({ firstRow, keys, vectors }: EmbeddingPart): string {
  return vectors
    .map((vector, at) => {
      const numbers = Array.from(vector, (number) => Number(number.toPrecision(digits32)));
      return `${JSON.stringify({ row: firstRow + at, key: keys[at], vector: numbers })}\n`;
    })
    .join("");
}

import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { DataEngine } from "@aiplatform/data-engine";
import type { StoredArtifacts } from "../other-services/stored-artifacts.ts";
import type { ParquetCache } from "../parquet-cache/parquet-cache.ts";
import type { Embedding, SearchData, VectorData } from "./embedding.ts";
import type { EmbeddingPartStore } from "./embedding-part-store.ts";
import { pieceNumbers, writeVectorFile } from "./vector-file.ts";

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

/** Bytes of a number as text, with what separates it, at most; of one in all files that are made of them; and of what stands beside a vector. */
const [textBytes, fileBytes, besideBytes] = [16, 16, 100];
/** Of laying out as many vectors as there may be, on a busy machine. */
const layMs = 7_200_000;

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
    return await writeFiles(dependencies, embedding, folder, signal);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function writeFiles(
  { parts, artifacts, cache, engine }: WriteVectorsDependencies,
  embedding: Embedding,
  folder: string,
  signal: AbortSignal,
): Promise<WrittenVectors> {
  const { organisationId, rowCount, dimensions = 1, recipe } = embedding;
  const [vectors, cells] = [join(folder, "vectors.parquet"), join(folder, "vectors.cells")];
  const file = { organisationId, dimensions, folder, output: vectors };
  const written = await writeVectorFile(engine, parts.each(embedding), file, signal);
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

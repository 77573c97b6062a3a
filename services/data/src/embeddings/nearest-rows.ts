import type { DataEngine, NearRow } from "@aiplatform/data-engine";
import { onData } from "../dataset-rows/read-rows.ts";
import type { ReadyVersion } from "../dataset-versions/dataset-version.ts";
import type { ParquetCache } from "../parquet-cache/parquet-cache.ts";
import type { ReadyEmbedding, SearchData } from "./embedding.ts";
import { type NearestSearch, nearestQuery } from "./nearest-query.ts";
import { vectorRows } from "./vector-rows.ts";

interface Dependencies {
  cache: Pick<ParquetCache, "use">;
  engine: Pick<DataEngine, "query" | "nearest">;
}

/** An embedding, and the version whose rows it is of. */
export interface SearchedVectors {
  embedding: ReadyEmbedding;
  version: ReadyVersion;
}

export interface WantedRows extends Pick<NearestSearch, "vector" | "where" | "exceptRow" | "limit"> {
  signal: AbortSignal;
}

/** The rows nearest to a vector. @throws what the engine and the cache throw */
export function nearestRows(
  dependencies: Dependencies,
  searched: SearchedVectors,
  wanted: WantedRows,
): Promise<readonly NearRow[]> {
  const { search } = searched.embedding;
  return search ? inCells(dependencies, searched, search, wanted) : amongAll(dependencies, searched, wanted);
}

/** In the file that was made for searches. */
function inCells(
  { cache, engine }: Dependencies,
  { embedding: { organisationId, rowCount }, version }: SearchedVectors,
  { sha256, sizeBytes }: SearchData,
  { vector, where, exceptRow, limit, signal }: WantedRows,
): Promise<readonly NearRow[]> {
  return cache.use({ organisationId, sha256, sizeBytes }, signal, (cells) => {
    const wanted = { organisationId, cells, vector, exceptRow, limit, signal };
    if (!where) return engine.nearest(wanted);
    return onData({ cache }, version, signal, (file) =>
      engine.nearest({ ...wanted, kept: { file, rows: rowCount, where } }),
    );
  });
}

/** By comparing all vectors, for embeddings without such a file. */
async function amongAll(
  { cache, engine }: Dependencies,
  { embedding: { organisationId, data, recipe, dimensions }, version }: SearchedVectors,
  { vector, where, exceptRow, limit, signal }: WantedRows,
): Promise<readonly NearRow[]> {
  const query = nearestQuery({ metric: recipe.metric, dimensions, vector, where, exceptRow, limit });
  const search = (views: Record<string, string[]>) => engine.query({ organisationId, views, ...query, limit, signal });
  const page = await cache.use({ organisationId, ...data }, signal, (vectors) =>
    where
      ? onData({ cache }, version, signal, (path) => search({ vectors: [vectors], version_rows: [path] }))
      : search({ vectors: [vectors] }),
  );
  return vectorRows(page.body);
}

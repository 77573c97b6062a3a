import type { DataEngine } from "@aiplatform/data-engine";
import { offsetOf, rowCursor } from "../dataset-rows/row-cursor.ts";
import type { DatasetRef } from "../dataset-versions/dataset-version.ts";
import type { ParquetCache } from "../parquet-cache/parquet-cache.ts";
import { type AskedDependencies, embeddingAsked } from "./embedding-asked.ts";
import { type VectorRow, vectorRows } from "./vector-rows.ts";

export interface ListVectorsDependencies extends AskedDependencies {
  cache: Pick<ParquetCache, "use">;
  engine: Pick<DataEngine, "rows">;
}

/** Which vectors. */
export interface VectorsRequest {
  embeddingId: string | undefined;
  limit: number;
  cursor: string;
}

/** A page of vectors, and where the next one begins. @throws as embeddingAsked, InvalidCursorError, and what the engine and the cache throw */
export async function listVectors(
  dependencies: ListVectorsDependencies,
  dataset: DatasetRef,
  { embeddingId, limit, cursor }: VectorsRequest,
  signal: AbortSignal,
): Promise<{ vectors: VectorRow[]; nextCursor: string }> {
  const embedding = await embeddingAsked(dependencies, dataset, embeddingId);
  // A cursor is good for one embedding.
  const asked = { versionId: embedding.id, filter: "", orderBy: "" };
  const offset = offsetOf(asked, cursor);
  const { organisationId, data } = embedding;
  const page = await dependencies.cache.use({ organisationId, ...data }, signal, (path) =>
    dependencies.engine.rows({ organisationId, files: [path], columns: ["row", "vector"], offset, limit, signal }),
  );
  const vectors = vectorRows(page.body);
  return { vectors, nextCursor: page.hasMore ? rowCursor(asked, offset + page.rowCount) : "" };
}

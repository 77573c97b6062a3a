import type { DataEngine, RowFormat } from "@aiplatform/data-engine";
import { offsetOf, rowCursor } from "../dataset-rows/row-cursor.ts";
import type { DatasetRef } from "../dataset-versions/dataset-version.ts";
import type { ParquetCache } from "../parquet-cache/parquet-cache.ts";
import { type AskedDependencies, embeddingAsked } from "./embedding-asked.ts";

export interface ListVectorsDependencies extends AskedDependencies {
  cache: Pick<ParquetCache, "use">;
  engine: Pick<DataEngine, "rows">;
}

/** Which vectors. */
export interface VectorsRequest {
  embeddingId: string | undefined;
  limit: number;
  cursor: string;
  format: RowFormat;
}

/** A page of vectors as the engine has written it, and where the next one begins. @throws as embeddingAsked, InvalidCursorError, and what the engine and the cache throw */
export async function listVectors(
  dependencies: ListVectorsDependencies,
  dataset: DatasetRef,
  { embeddingId, limit, cursor, format }: VectorsRequest,
  signal: AbortSignal,
): Promise<{ body: Uint8Array; nextCursor: string }> {
  const embedding = await embeddingAsked(dependencies, dataset, embeddingId);
  // A cursor is good for one embedding.
  const asked = { versionId: embedding.id, filter: "", orderBy: "" };
  const offset = offsetOf(asked, cursor);
  const { organisationId, data } = embedding;
  const page = await dependencies.cache.use({ organisationId, ...data }, signal, (path) =>
    dependencies.engine.rows({
      ...{ organisationId, files: [path], columns: ["row", "vector"] },
      ...{ offset, limit, format, signal },
    }),
  );
  return { body: page.body, nextCursor: page.hasMore ? rowCursor(asked, offset + page.rowCount) : "" };
}

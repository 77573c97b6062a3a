import { type DataEngine, InvalidQueryError, type Page, type RowFormat } from "@aiplatform/data-engine";
import { type FieldViolation, InvalidFieldsError } from "@aiplatform/service-host";
import { assertNames, filesOf, onAll } from "../dataset-rows/query-views.ts";
import { readyVersion } from "../dataset-rows/read-rows.ts";
import type { ReadyVersion, VersionRef } from "../dataset-versions/dataset-version.ts";
import type { DatasetVersionStore } from "../dataset-versions/version-store.ts";
import type { ParquetCache } from "../parquet-cache/parquet-cache.ts";

export interface QueryDependencies {
  versions: Pick<DatasetVersionStore, "get">;
  cache: Pick<ParquetCache, "use">;
  engine: Pick<DataEngine, "query">;
}

/** A version, and what the query calls its rows. */
export interface QueryView {
  name: string;
  ref: VersionRef;
}

export interface WantedQuery {
  organisationId: string;
  views: readonly QueryView[];
  /** One SELECT; text of a user. */
  sql: string;
  limit: number;
  format: RowFormat;
}

/**
 * The first rows that a query over versions answers.
 * @throws InvalidFieldsError, DatasetVersionNotFoundError, DatasetVersionNotReadyError, and what the engine and the cache throw
 */
export async function queryDatasets(
  dependencies: QueryDependencies,
  { organisationId, views, sql, limit, format }: WantedQuery,
  signal: AbortSignal,
): Promise<Page> {
  assertNames(views);
  const versions: ReadyVersion[] = [];
  for (const { ref } of views) versions.push(await readyVersion(dependencies, ref));
  try {
    return await onAll(dependencies, versions, signal, (paths) =>
      dependencies.engine.query({ organisationId, views: filesOf(views, paths), sql, limit, format, signal }),
    );
  } catch (error) {
    throw error instanceof InvalidQueryError ? new InvalidFieldsError([violationOf(error)]) : error;
  }
}

function violationOf({ message, remedy, line, character }: InvalidQueryError): FieldViolation {
  const place = line === undefined ? "" : ` (line ${line}, character ${character})`;
  return { field: "sql", reason: "QUERY_INVALID", description: `${message}${place}. ${remedy}` };
}

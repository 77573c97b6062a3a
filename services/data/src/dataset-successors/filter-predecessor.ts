import type { DataEngine, WrittenFile } from "@aiplatform/data-engine";
import { onData } from "../dataset-rows/read-rows.ts";
import { rowCondition } from "../dataset-rows/row-condition.ts";
import { readRowRequest } from "../dataset-rows/row-list.ts";
import {
  assertReady,
  type DatasetVersion,
  DatasetVersionNotFoundError,
  DatasetVersionNotReadyError,
  type MatchingRows,
  type Predecessor,
  PredecessorGoneError,
  type ReadyVersion,
} from "../dataset-versions/dataset-version.ts";
import type { ReadingBounds, SuccessorFile } from "../dataset-versions/read-version.ts";
import type { DatasetVersionStore } from "../dataset-versions/version-store.ts";
import type { ParquetCache } from "../parquet-cache/parquet-cache.ts";

interface Dependencies {
  versions: Pick<DatasetVersionStore, "get">;
  cache: Pick<ParquetCache, "use">;
  engine: Pick<DataEngine, "queryToFile">;
}

/** Name of the predecessor's rows in SQL. */
const view = "predecessor";
/** A row for which the filter is neither true nor false is none that it finds. */
const kept: Readonly<Record<MatchingRows, string>> = { keep: "IS TRUE", remove: "IS NOT TRUE" };

/** Writes the rows of the predecessor that are kept, in their order, into a file. @throws PredecessorGoneError, and what the engine and the cache throw */
export async function filterPredecessor(
  dependencies: Dependencies,
  { version, predecessor, output }: SuccessorFile,
  { signal, onProgress }: ReadingBounds,
): Promise<WrittenFile> {
  const { organisationId } = version;
  const found = await readyPredecessor(dependencies, version, predecessor);
  const { columns } = found.data;
  const { condition } = readRowRequest(columns, { filter: predecessor.filter ?? "" });
  if (!condition) throw new Error(`the successor ${version.id} has no filter`);
  const { sql, parameters } = rowCondition(condition, columns);
  const query = `SELECT * FROM ${view} WHERE (${sql}) ${kept[predecessor.matchingRows]}`;
  return await onData(dependencies, found, signal, (path) =>
    dependencies.engine.queryToFile({
      ...{ organisationId, views: { [view]: [path] }, sql: query, parameters, output, signal, onProgress },
    }),
  );
}

async function readyPredecessor(
  { versions }: Dependencies,
  { organisationId, datasetId }: DatasetVersion,
  predecessor: Predecessor,
): Promise<ReadyVersion> {
  try {
    const version: DatasetVersion = await versions.get({ organisationId, datasetId, versionId: predecessor.versionId });
    assertReady(version);
    return version;
  } catch (error) {
    const isGone = error instanceof DatasetVersionNotFoundError || error instanceof DatasetVersionNotReadyError;
    throw isGone ? new PredecessorGoneError(predecessor) : error;
  }
}

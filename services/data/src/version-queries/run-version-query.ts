import { type DataEngine, EngineLimitError, InvalidQueryError, type WrittenFile } from "@aiplatform/data-engine";
import { filesOf, onAll } from "../dataset-rows/query-views.ts";
import { readyVersion } from "../dataset-rows/read-rows.ts";
import {
  DatasetVersionNotFoundError,
  DatasetVersionNotReadyError,
  type QuerySource,
  type ReadyVersion,
  UnfitVersionError,
} from "../dataset-versions/dataset-version.ts";
import type { QueriedFile, ReadingBounds } from "../dataset-versions/read-version.ts";
import type { DatasetVersionStore } from "../dataset-versions/version-store.ts";
import type { ParquetCache } from "../parquet-cache/parquet-cache.ts";

interface Dependencies {
  versions: Pick<DatasetVersionStore, "get">;
  cache: Pick<ParquetCache, "use">;
  engine: Pick<DataEngine, "queryToFile">;
}

/**
 * Writes what the query of a version answers into a file.
 * @throws UnfitVersionError where the query or what it reads is to blame, and what the engine and the cache throw
 */
export async function runVersionQuery(
  dependencies: Dependencies,
  { version: { id, organisationId }, query, output }: QueriedFile,
  { signal, onProgress }: ReadingBounds,
): Promise<WrittenFile> {
  const { sql, sources } = query;
  if (sql === undefined) throw new Error(`the version ${id} has no query`);
  const versions: ReadyVersion[] = [];
  for (const source of sources) versions.push(await readySource(dependencies, organisationId, source));
  try {
    return await onAll(dependencies, versions, signal, (paths) =>
      dependencies.engine.queryToFile({
        ...{ organisationId, views: filesOf(sources, paths), sql, output, signal, onProgress },
      }),
    );
  } catch (error) {
    throw problemOf(error) ?? error;
  }
}

async function readySource(
  { versions }: Pick<Dependencies, "versions">,
  organisationId: string,
  { name, number, datasetId, versionId }: QuerySource,
): Promise<ReadyVersion> {
  try {
    return await readyVersion({ versions }, { organisationId, datasetId, versionId });
  } catch (error) {
    if (!(error instanceof DatasetVersionNotFoundError || error instanceof DatasetVersionNotReadyError)) throw error;
    const message = `The data of version ${number}, which the query reads as ${name}, was removed`;
    throw new UnfitVersionError({ rule: "source", message, remedy: "Create it with a query over another version" });
  }
}

function problemOf(error: unknown): UnfitVersionError | undefined {
  if (error instanceof InvalidQueryError) {
    const { message, remedy, line } = error;
    return new UnfitVersionError({ rule: "query", line, message, remedy }, error);
  }
  if (error instanceof EngineLimitError) {
    const remedy = "Let the query read fewer rows, or answer fewer";
    return new UnfitVersionError({ rule: error.limit, message: error.message, remedy }, error);
  }
  return undefined;
}

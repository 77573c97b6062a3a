import type { ClientSession } from "@aiplatform/document-store";
import { assertNames } from "../dataset-rows/query-views.ts";
import {
  type NewVersion,
  type RegisterVersionDependencies,
  registerVersion,
} from "../dataset-versions/create-version.ts";
import {
  assertReady,
  type DatasetRef,
  type DatasetVersion,
  DatasetVersionNotFoundError,
  DatasetVersionNotReadyError,
  NoReadyVersionError,
  type QuerySource,
  type ReadyVersion,
} from "../dataset-versions/dataset-version.ts";

/** A version that a query is to read, and what the query calls its rows. */
export interface WantedSource {
  name: string;
  datasetId: string;
  /** Undefined: the newest version of the dataset that is ready. */
  versionId: string | undefined;
}

/** A query of which a version is to be made. */
export interface WantedQuery {
  /** One SELECT; text of a user. */
  sql: string;
  sources: readonly WantedSource[];
}

/** @throws InvalidFieldsError where two views have one name */
export function assertSources({ sources }: WantedQuery): void {
  assertNames(sources, "query.views");
}

/**
 * Registers a version that is to be made of what a query answers. Which versions it reads is decided here, and stays.
 * @throws DatasetVersionNotFoundError, DatasetVersionNotReadyError and NoReadyVersionError of those versions, and as {@link registerVersion}
 */
export async function createQueriedVersion(
  dependencies: RegisterVersionDependencies,
  { wanted, query }: { wanted: Omit<NewVersion, "files">; query: WantedQuery },
  session: ClientSession,
): Promise<DatasetVersion> {
  const sources: QuerySource[] = [];
  for (const source of query.sources) {
    const { organisationId } = wanted;
    const version = await sourceOf(dependencies, { organisationId, ...source }, session);
    const { datasetId, id: versionId, number, data } = version;
    sources.push({ name: source.name, datasetId, versionId, number, sizeBytes: data.sizeBytes });
  }
  const made = { ...wanted, files: [], query: { sql: query.sql, sources } };
  return await registerVersion(dependencies, { wanted: made }, session);
}

/** A purge of it at the same time comes before, and is seen, or after, and finds the version that reads it. */
async function sourceOf(
  { versions }: Pick<RegisterVersionDependencies, "versions">,
  { versionId, ...dataset }: DatasetRef & Pick<WantedSource, "versionId">,
  session: ClientSession,
): Promise<ReadyVersion> {
  const found =
    versionId === undefined
      ? await newestOf({ versions }, dataset, session)
      : await versions.get({ ...dataset, versionId }, session);
  assertReady(found);
  if (!(await versions.claimReady({ ...dataset, versionId: found.id }, session)))
    throw new DatasetVersionNotReadyError("purging");
  return found;
}

async function newestOf(
  { versions }: Pick<RegisterVersionDependencies, "versions">,
  dataset: DatasetRef,
  session: ClientSession,
): Promise<DatasetVersion> {
  const found = await versions.newestReady(dataset, session);
  if (found) return found;
  // A dataset of another organisation is answered like one that does not exist.
  throw (await versions.has(dataset)) ? new NoReadyVersionError(dataset.datasetId) : new DatasetVersionNotFoundError();
}

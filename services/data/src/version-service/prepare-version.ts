import type { ForwardedCaller } from "@aiplatform/caller-identity";
import type { ClientSession } from "@aiplatform/document-store";
import { type CreateVersionDependencies, createVersion, lookUpFiles } from "../dataset-versions/create-version.ts";
import type { DatasetVersion, MadeFor } from "../dataset-versions/dataset-version.ts";
import { storeRows } from "../dataset-versions/rows-file.ts";
import { assertSources, createQueriedVersion } from "../version-queries/create-queried-version.ts";
import type { VersionSource } from "./version-source.ts";

export interface WantedVersion {
  datasetId: string;
  description: string;
  source: VersionSource;
  madeFor: MadeFor | undefined;
}

/**
 * Looks up in the caller's name what a version is to be made of, and answers what registers it.
 * @throws InvalidFieldsError, DatasetNotFoundError, DatasetsUnavailableError, ArtifactsUnavailableError, LocationUnavailableError, and what the other services refuse
 */
export async function prepareVersion(
  dependencies: CreateVersionDependencies,
  caller: ForwardedCaller & { organisationId: string },
  { source, ...named }: WantedVersion,
  signal: AbortSignal,
): Promise<(session: ClientSession) => Promise<DatasetVersion>> {
  const wanted = { organisationId: caller.organisationId, ...named };
  if (source.kind === "query") assertSources(source.query);
  await dependencies.datasets.assertThere(caller, named.datasetId);
  if (source.kind === "query") {
    return (session) => createQueriedVersion(dependencies, { wanted, query: source.query }, session);
  }
  const files =
    source.kind === "files"
      ? await lookUpFiles(dependencies, caller, source.files)
      : [await storeRows(dependencies, caller.organisationId, source.rows, signal)];
  return (session) => createVersion(dependencies, { ...wanted, files }, session);
}

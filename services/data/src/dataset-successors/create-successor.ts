import type { ClientSession } from "@aiplatform/document-store";
import { assertNone } from "@aiplatform/service-host";
import { readRowRequest } from "../dataset-rows/row-list.ts";
import { type RegisterVersionDependencies, registerVersion } from "../dataset-versions/create-version.ts";
import {
  assertReady,
  type DatasetVersion,
  type MadeFor,
  type MatchingRows,
  type VersionRef,
} from "../dataset-versions/dataset-version.ts";

/** Which rows of the predecessor the successor has. */
export interface WantedSuccessor {
  filter: string;
  matchingRows: MatchingRows;
  description: string;
  madeFor: MadeFor | undefined;
}

/**
 * Registers a version that is to be made of rows of another one of its dataset.
 * @throws DatasetVersionNotFoundError and DatasetVersionNotReadyError of the predecessor, InvalidListRequestError and InvalidFieldsError
 * of the filter, and as {@link registerVersion}
 */
export async function createSuccessor(
  dependencies: RegisterVersionDependencies,
  ref: VersionRef,
  { filter, matchingRows, description, madeFor }: WantedSuccessor,
  session: ClientSession,
): Promise<DatasetVersion> {
  const { organisationId, datasetId, versionId } = ref;
  const found = await dependencies.versions.get(ref, session);
  assertReady(found);
  assertFinds(found.data.columns, filter);
  // A purge of it at the same time comes before, and is seen, or after, and finds the successor.
  await dependencies.versions.claimReady(ref, session);
  const { number, data } = found;
  const predecessor = { versionId, number, matchingRows, sizeBytes: data.sizeBytes, filter };
  const wanted = { organisationId, datasetId, description, files: [], predecessor, madeFor };
  return await registerVersion(dependencies, { wanted }, session);
}

/** @throws InvalidListRequestError, InvalidFieldsError */
function assertFinds(columns: Parameters<typeof readRowRequest>[0], filter: string): void {
  const { condition } = readRowRequest(columns, { filter });
  const description = "is empty: say which rows, such as `customer_id = 17`";
  assertNone(condition ? [] : [{ field: "filter", reason: "FILTER_INVALID", description }]);
}

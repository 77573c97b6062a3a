import type { Caller, ForwardedCaller } from "@aiplatform/caller-identity";
import type { Page } from "@aiplatform/document-store";
import type { ListPageRequest } from "@aiplatform/list-filter";
import type { DatasetsOfContent } from "../other-services/datasets-of-content.ts";
import type { DatasetVersion } from "./dataset-version.ts";
import type { DatasetVersionStore } from "./version-store.ts";

interface Dependencies {
  versions: Pick<DatasetVersionStore, "list" | "has">;
  datasets: Pick<DatasetsOfContent, "assertThere">;
}

/**
 * A page of the versions of a dataset. One that has none is looked up at content, in the caller's name.
 * @throws DatasetNotFoundError, InvalidListRequestError, InvalidCursorError, DatasetsUnavailableError
 */
export async function listVersions(
  { versions, datasets }: Dependencies,
  caller: Pick<Caller, "organisationId"> & ForwardedCaller,
  { datasetId, ...request }: ListPageRequest & { datasetId: string },
): Promise<Page<DatasetVersion>> {
  const dataset = { organisationId: caller.organisationId, datasetId };
  const page = await versions.list(dataset, request);
  if (page.items.length === 0 && !(await versions.has(dataset))) await datasets.assertThere(caller, datasetId);
  return page;
}

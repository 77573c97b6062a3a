import type { ContentDependencies } from "../dependencies.ts";
import { type Dataset, DatasetNotFoundError } from "./dataset.ts";

/** One dataset. Throws DatasetNotFoundError. */
export async function getDataset(
  { datasets }: Pick<ContentDependencies, "datasets">,
  organisationId: string,
  datasetId: string,
): Promise<Dataset> {
  const dataset = await datasets.find(organisationId, datasetId);
  if (!dataset) throw new DatasetNotFoundError(datasetId);
  return dataset;
}

import { DatasetNotFoundError } from "../datasets/dataset.ts";
import type { ContentDependencies } from "../dependencies.ts";
import type { WholeDictionary } from "./dictionary.ts";

/** The whole dictionary as it was at one instant. Throws DatasetNotFoundError. */
export function getDataDictionary(
  { dictionaries, entries, transaction }: Pick<ContentDependencies, "dictionaries" | "entries" | "transaction">,
  organisationId: string,
  datasetId: string,
): Promise<WholeDictionary> {
  // One snapshot: entries of a later version under the tag of an earlier one would let a writer overwrite what he never saw.
  return transaction(async (session) => {
    const dictionary = await dictionaries.find(organisationId, datasetId, session);
    if (!dictionary) throw new DatasetNotFoundError(datasetId);
    return { dictionary, entries: await entries.list(organisationId, datasetId, session) };
  });
}

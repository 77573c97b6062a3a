import type { ContentDependencies } from "../dependencies.ts";
import { type Dataset, DatasetNotFoundError } from "./dataset.ts";
import { datasetDeleted } from "./dataset-events.ts";

type Dependencies = Pick<
  ContentDependencies,
  "datasets" | "dictionaries" | "entries" | "outbox" | "transaction" | "clock"
>;

/** Forgets a dataset with its dictionary; the history follows by its event. Throws DatasetNotFoundError. */
export function deleteDataset(
  { datasets, dictionaries, entries, outbox, transaction, clock }: Dependencies,
  organisationId: string,
  datasetId: string,
): Promise<Dataset> {
  return transaction(async (session) => {
    // Claimed first, so that no other transaction that writes to the dictionary commits beside this one.
    await dictionaries.claim(organisationId, datasetId, session);
    const dataset = await datasets.find(organisationId, datasetId, session);
    if (!dataset) throw new DatasetNotFoundError(datasetId);
    await dictionaries.delete(organisationId, datasetId, session);
    await entries.deleteAll(organisationId, datasetId, session);
    await datasets.delete(organisationId, datasetId, session);
    await outbox.stage(session, datasetDeleted(dataset, clock()));
    return dataset;
  });
}

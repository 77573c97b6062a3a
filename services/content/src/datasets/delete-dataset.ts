import type { DictionaryStore } from "../data-dictionaries/data-dictionary-store.ts";
import type { EntryStore } from "../data-dictionaries/entry-store.ts";
import type { OperationContext } from "../operation-context.ts";
import { type Dataset, DatasetNotFoundError } from "./dataset.ts";
import { datasetDeleted } from "./dataset-events.ts";
import type { DatasetStore } from "./dataset-store.ts";

interface Dependencies extends Pick<OperationContext, "outbox" | "transaction" | "clock"> {
  datasets: DatasetStore;
  dictionaries: DictionaryStore;
  entries: EntryStore;
}

/** Forgets a dataset with its dictionary; the history follows by its event. @throws DatasetNotFoundError */
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

import type { Caller } from "@aiplatform/caller-identity";
import type { ClientSession } from "@aiplatform/document-store";
import type { DictionaryStore } from "../data-dictionaries/data-dictionary-store.ts";
import type { EntryStore } from "../data-dictionaries/entry-store.ts";
import type { OperationContext } from "../operation-context.ts";
import { type Dataset, DatasetInUseError } from "./dataset.ts";
import { datasetDeleted } from "./dataset-events.ts";
import type { DatasetStore } from "./dataset-store.ts";
import type { DeploymentsUsingDataset } from "./deployments-using-dataset.ts";

interface Dependencies extends Pick<OperationContext, "outbox" | "transaction" | "clock"> {
  datasets: DatasetStore;
  dictionaries: DictionaryStore;
  entries: EntryStore;
  automations: {
    idsUsingDataset(organisationId: string, datasetId: string, session: ClientSession): Promise<string[]>;
  };
  deploymentsUsingDataset: Pick<DeploymentsUsingDataset, "list">;
}

/**
 * Forgets a dataset with its dictionary; the history follows by its event.
 * @throws DatasetNotFoundError, DatasetInUseError, DeploymentsUnavailableError
 */
export async function deleteDataset(
  dependencies: Dependencies,
  caller: Pick<Caller, "organisationId" | "signedContext">,
  datasetId: string,
): Promise<Dataset> {
  const { datasets, dictionaries, entries, automations, deploymentsUsingDataset } = dependencies;
  const { outbox, transaction, clock } = dependencies;
  const { organisationId } = caller;
  await datasets.get(organisationId, datasetId);
  const deploymentIds = await deploymentsUsingDataset.list(caller, datasetId);
  return transaction(async (session) => {
    // Claimed first, so that no other transaction that writes to the dictionary commits beside this one.
    await dictionaries.claim(organisationId, datasetId, session);
    const dataset = await datasets.get(organisationId, datasetId, session);
    const automationIds = await automations.idsUsingDataset(organisationId, datasetId, session);
    const isUsed = automationIds.length + deploymentIds.length > 0;
    if (isUsed) throw new DatasetInUseError(datasetId, { automationIds, deploymentIds });
    await dictionaries.delete(organisationId, datasetId, session);
    await entries.deleteAll(organisationId, datasetId, session);
    await datasets.delete(organisationId, datasetId, session);
    await outbox.stage(session, datasetDeleted(dataset, clock()));
    return dataset;
  });
}

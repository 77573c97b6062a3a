import type { ClientSession } from "@aiplatform/document-store";
import { assertNone } from "@aiplatform/service-host";
import type { Author } from "../author.ts";
import type { ChangeStore } from "../data-dictionaries/change-store.ts";
import type { DictionaryStore } from "../data-dictionaries/data-dictionary-store.ts";
import type { EntryStore } from "../data-dictionaries/entry-store.ts";
import { emptyDictionary, namesAsEntries, writeChanges } from "../data-dictionaries/write-changes.ts";
import type { OperationContext } from "../operation-context.ts";
import { repeatedNames } from "../repeated-names.ts";
import { type Column, type Dataset, DatasetLimitError, maxDatasets } from "./dataset.ts";
import { datasetCreated } from "./dataset-events.ts";
import type { DatasetStore } from "./dataset-store.ts";

export interface CreateDatasetDependencies extends Pick<OperationContext, "outbox" | "clock" | "newId"> {
  datasets: DatasetStore;
  dictionaries: DictionaryStore;
  entries: EntryStore;
  entryChanges: ChangeStore;
}

export interface NewDataset {
  organisationId: string;
  author: Author;
  name: string;
  description: string;
  columns: Column[];
}

/**
 * Registers a dataset; its columns become entries of its dictionary.
 * @throws InvalidFieldsError, DictionaryLimitError, and once there are as many datasets as there may be,
 * DatasetLimitError: requests of the same instant may each find room for theirs
 */
export async function createDataset(
  dependencies: CreateDatasetDependencies,
  { author, ...wanted }: NewDataset,
  session: ClientSession,
): Promise<Dataset> {
  const { datasets, outbox, clock, newId } = dependencies;
  const { organisationId } = wanted;
  const names = wanted.columns.map(({ name }) => name);
  assertNone(repeatedNames(names, (index) => `columns[${index}].name`));
  if ((await datasets.count(organisationId, session)) >= maxDatasets) throw new DatasetLimitError();
  const time = clock();
  const dataset = { id: newId(), ...wanted, sensitiveColumns: [], createdAt: time, updatedAt: time };
  await datasets.insert(organisationId, dataset, session);
  const empty = emptyDictionary(organisationId, dataset.id);
  const changes = namesAsEntries(empty, names, { author, newId });
  await writeChanges(dependencies, empty, { changes, author, time }, session);
  await outbox.stage(session, datasetCreated(dataset, time));
  return dataset;
}

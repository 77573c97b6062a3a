import type { TaskRunner } from "@aiplatform/worker-pool";
import { program } from "../author.ts";
import type { ChangeStore } from "../data-dictionaries/change-store.ts";
import type { DictionaryStore } from "../data-dictionaries/data-dictionary-store.ts";
import type { EntryStore } from "../data-dictionaries/entry-store.ts";
import { namesAsEntries, writeChanges } from "../data-dictionaries/write-changes.ts";
import type { OperationContext } from "../operation-context.ts";
import { areSameColumns, type Column, type Dataset, DatasetNotFoundError, type Sample } from "./dataset.ts";
import { datasetColumnsInferred } from "./dataset-events.ts";
import type { DatasetStore } from "./dataset-store.ts";

export interface InferColumnsDependencies extends Pick<OperationContext, "outbox" | "transaction" | "clock" | "newId"> {
  datasets: DatasetStore;
  dictionaries: DictionaryStore;
  entries: EntryStore;
  entryChanges: ChangeStore;
  tasks: TaskRunner<{ readSample: (sample: Sample) => Column[] }>;
}

/** A sample of a dataset's data. */
export interface DatasetSample extends Sample {
  organisationId: string;
  datasetId: string;
}

/**
 * Makes the columns of a sample the dataset's. Names that are new to it become entries of its dictionary; entries of
 * names that are gone stay.
 * @throws InvalidFieldsError when the sample cannot be read, DatasetNotFoundError, DictionaryLimitError, QueueFullError
 */
export async function inferColumns(
  dependencies: InferColumnsDependencies,
  { organisationId, datasetId, ...sample }: DatasetSample,
): Promise<Dataset> {
  const { datasets, dictionaries, entries, tasks, outbox, transaction, clock, newId } = dependencies;
  const known = await datasets.find(organisationId, datasetId);
  // Checked before the sample is read: a caller without the dataset learns nothing about the sample.
  if (!known) throw new DatasetNotFoundError(datasetId);
  const columns = await tasks.run(organisationId, "readSample", sample);
  return transaction(async (session) => {
    const dictionary = await dictionaries.claim(organisationId, datasetId, session);
    const dataset = await datasets.find(organisationId, datasetId, session);
    if (!dataset || !dictionary) throw new DatasetNotFoundError(datasetId);
    if (areSameColumns(dataset.columns, columns)) return dataset;
    const time = clock();
    const changed = { ...dataset, columns, updatedAt: time };
    await datasets.setColumns(organisationId, changed, session);
    const had = new Set(dataset.columns.map(({ name }) => name));
    const names = columns.map(({ name }) => name).filter((name) => !had.has(name));
    const whole = { dictionary, entries: await entries.list(organisationId, datasetId, session) };
    const changes = namesAsEntries(whole, names, { author: program, newId });
    if (changes.length > 0) await writeChanges(dependencies, whole, { changes, author: program, time }, session);
    await outbox.stage(session, datasetColumnsInferred(changed, time));
    return changed;
  });
}

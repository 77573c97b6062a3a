import { program } from "../../author.ts";
import type { EntryText } from "../../data-dictionaries/dictionary.ts";
import { patchDataDictionary } from "../../data-dictionaries/patch-data-dictionary.ts";
import { DatasetNotFoundError } from "../../datasets/dataset.ts";
import { StepFailedError, type StepWork } from "../step.ts";
import { causingOutbox } from "./causing-outbox.ts";

const [longestName, longestDescription] = [255, 10_000];
/** As in a request to patch a dictionary. */
const mostEntries = 5_000;

/** Writes entries of a dictionary; the same ones again change nothing. */
export const dictionary: StepWork = async (dependencies, { organisationId, members, cause }) => {
  const datasetId = String(members["dataset_id"]).trim().toLowerCase();
  const entries = Array.isArray(members["entries"]) ? members["entries"] : [];
  if (entries.length > mostEntries) throw new StepFailedError(`entries: there are more than ${mostEntries}`);
  const patch = { organisationId, datasetId, author: program, texts: entries.map(entryText), ...asIs };
  try {
    const { version } = await patchDataDictionary(
      { ...dependencies, outbox: causingOutbox(dependencies, cause) },
      patch,
    );
    return { output: { dataset_id: datasetId, entries: entries.length, version } };
  } catch (error) {
    if (error instanceof DatasetNotFoundError)
      throw new StepFailedError(`There is no dataset ${datasetId}`, { cause: error });
    throw error;
  }
};

const asIs = { override: false, dryRun: false, ifMatch: "" };

/** What a template made is bounded here: nothing was known of it when the automation was written. */
function entryText(entry: unknown): EntryText {
  const [name, description] = [memberOf(entry, "name"), memberOf(entry, "description") ?? ""];
  if (typeof name !== "string" || name === "" || name.length > longestName) {
    throw new StepFailedError(`An entry's name must be a text of 1 to ${longestName} characters`);
  }
  if (typeof description !== "string" || description.length > longestDescription) {
    throw new StepFailedError(
      `The description of ${JSON.stringify(name)} must be a text of at most ${longestDescription} characters`,
    );
  }
  return { name, description };
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}

import { program } from "../../author.ts";
import { DictionaryNotFoundError, type EntryText } from "../../data-dictionaries/data-dictionary.ts";
import { idField, idsIn } from "../step-fields.ts";
import type { StepHandler } from "../step-handler.ts";
import { StepFailedError } from "../step-outcome.ts";

const [maxNameLength, maxDescriptionLength] = [255, 10_000];
/** As in a request to patch a dictionary. */
const maxEntries = 5_000;

/** Writes entries of a dataset's dictionary, as a program does: texts of people stay, the same entries again change nothing. */
export const dictionary: StepHandler = {
  fields: {
    dataset_id: { ...idField, required: true },
    entries: {
      kind: "objects",
      required: true,
      maxItems: 500,
      fields: {
        name: { kind: "text", required: true, maxLength: maxNameLength },
        description: { kind: "text", maxLength: maxDescriptionLength },
      },
    },
  },
  permissions: () => ["dictionary:write"],
  datasetIds: (fields) => idsIn([fields], "dataset_id"),
  execute: async ({ patchDictionary }, { organisationId, fields, cause }) => {
    const datasetId = String(fields["dataset_id"]).trim().toLowerCase();
    const entries = Array.isArray(fields["entries"]) ? fields["entries"] : [];
    if (entries.length > maxEntries) throw new StepFailedError(`entries: there are more than ${maxEntries}`);
    const texts = entries.map(entryText);
    const target = { organisationId, datasetId, author: program };
    try {
      const { version } = await patchDictionary(
        { ...target, texts, override: false, dryRun: false, ifMatch: "" },
        cause,
      );
      return { output: { dataset_id: datasetId, entries: entries.length, version } };
    } catch (error) {
      if (!(error instanceof DictionaryNotFoundError)) throw error;
      throw new StepFailedError(`There is no dataset ${datasetId}`, { cause: error });
    }
  },
};

/** What a template made is bounded here: nothing was known of it when the automation was written. */
function entryText(entry: unknown): EntryText {
  const [name, description] = [fieldOf(entry, "name"), fieldOf(entry, "description") ?? ""];
  if (typeof name !== "string" || name === "" || name.length > maxNameLength) {
    throw new StepFailedError(`An entry's name must be a text of 1 to ${maxNameLength} characters`);
  }
  if (typeof description !== "string" || description.length > maxDescriptionLength) {
    throw new StepFailedError(
      `The description of ${JSON.stringify(name)} must be a text of at most ${maxDescriptionLength} characters`,
    );
  }
  return { name, description };
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}

import type { OperationContext } from "../operation-context.ts";
import type { WholeDictionary } from "./data-dictionary.ts";
import type { DictionaryStore } from "./data-dictionary-store.ts";
import type { EntryStore } from "./entry-store.ts";

interface Dependencies extends Pick<OperationContext, "transaction"> {
  dictionaries: DictionaryStore;
  entries: EntryStore;
}

/** The whole dictionary as it was at one instant. @throws DictionaryNotFoundError */
export function getDataDictionary(
  { dictionaries, entries, transaction }: Dependencies,
  organisationId: string,
  datasetId: string,
): Promise<WholeDictionary> {
  // One snapshot: entries of a later version under the tag of an earlier one would let a writer overwrite what he never saw.
  return transaction(async (session) => {
    const dictionary = await dictionaries.get(organisationId, datasetId, session);
    return { dictionary, entries: await entries.list(organisationId, datasetId, session) };
  });
}

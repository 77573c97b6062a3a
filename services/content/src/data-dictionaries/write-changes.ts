import type { ClientSession } from "@aiplatform/document-store";
import type { Author } from "../author.ts";
import type { OperationContext } from "../operation-context.ts";
import type { ChangeStore } from "./change-store.ts";
import { changesOf, type EntryChange, newDictionary, type WholeDictionary, withChanges } from "./data-dictionary.ts";
import type { DictionaryStore } from "./data-dictionary-store.ts";
import type { EntryStore } from "./entry-store.ts";

/** What every write to a dictionary works with. */
export interface WriteDependencies extends Pick<OperationContext, "outbox" | "transaction" | "clock" | "newId"> {
  dictionaries: DictionaryStore;
  entries: EntryStore;
  entryChanges: ChangeStore;
}

export interface WantedChanges {
  changes: readonly EntryChange[];
  author: Author;
  time: Date;
}

/** Makes changes to a claimed dictionary, and remembers who did. @throws DictionaryLimitError */
export async function writeChanges(
  dependencies: Pick<WriteDependencies, "dictionaries" | "entries" | "entryChanges" | "newId">,
  whole: WholeDictionary,
  { changes, author, time }: WantedChanges,
  session: ClientSession,
): Promise<WholeDictionary> {
  const { dictionaries, entries, entryChanges, newId } = dependencies;
  const { organisationId, datasetId } = whole.dictionary;
  const next = withChanges(whole, changes);
  const { dictionary } = next;
  const isNew = whole.dictionary.version === 0;
  await (isNew
    ? dictionaries.insert(organisationId, dictionary, changes.length, session)
    : dictionaries.update(organisationId, dictionary, changes.length, session));
  await entries.write(organisationId, { datasetId, changes }, session);
  await entryChanges.insert(organisationId, { dictionary, changes, author, time, newId }, session);
  return next;
}

/** Entries without a description for names that have none yet. */
export function namesAsEntries(
  whole: WholeDictionary,
  names: readonly string[],
  { author, newId }: { author: Author; newId: () => string },
): EntryChange[] {
  const known = new Set(whole.entries.map(({ name }) => name));
  const texts = names.filter((name) => !known.has(name)).map((name) => ({ name, description: "" }));
  return changesOf(whole, { texts, author, override: false }, newId);
}

/** A dictionary that is about to come to be, with nothing in it. */
export function emptyDictionary(organisationId: string, datasetId: string): WholeDictionary {
  return { dictionary: newDictionary(organisationId, datasetId), entries: [] };
}

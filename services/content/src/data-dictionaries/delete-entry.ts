import { assertMatch } from "@aiplatform/service-kit/entity-tag";
import type { Author } from "../author.ts";
import { DictionaryNotFoundError, EntryNotFoundError, isKept, TextOfAPersonError } from "./data-dictionary.ts";
import { dictionaryEntryDeleted } from "./data-dictionary-events.ts";
import type { WrittenDictionary } from "./patch-data-dictionary.ts";
import { type WriteDependencies, writeChanges } from "./write-changes.ts";

export interface EntryDeletion {
  organisationId: string;
  datasetId: string;
  name: string;
  author: Author;
  /** A program may delete what a person wrote. */
  override: boolean;
  /** Entity tags, one of which the dictionary must have; "": any. */
  ifMatch: string;
}

/** Deletes an entry. @throws DictionaryNotFoundError, EntryNotFoundError, EntityTagMismatchError, TextOfAPersonError */
export function deleteEntry(dependencies: WriteDependencies, deletion: EntryDeletion): Promise<WrittenDictionary> {
  const { dictionaries, entries, outbox, transaction, clock } = dependencies;
  const { organisationId, datasetId, name, author, override, ifMatch } = deletion;
  return transaction(async (session) => {
    const dictionary = await dictionaries.claim(organisationId, datasetId, session);
    if (!dictionary) throw new DictionaryNotFoundError(datasetId);
    assertMatch(ifMatch, dictionary.version, "dictionary");
    const whole = { dictionary, entries: await entries.list(organisationId, datasetId, session) };
    const before = whole.entries.find((entry) => entry.name === name);
    if (!before) throw new EntryNotFoundError(name);
    if (isKept(before, author, override)) throw new TextOfAPersonError();
    const time = clock();
    const changes = [{ name, before, after: undefined }];
    const next = await writeChanges(dependencies, whole, { changes, author, time }, session);
    await outbox.stage(session, dictionaryEntryDeleted(next.dictionary, name, time));
    return { entries: next.entries, version: next.dictionary.version };
  });
}

import { assertNone } from "@aiplatform/service-host";
import { assertMatch } from "@aiplatform/service-kit/entity-tag";
import type { Author } from "../author.ts";
import { repeatedNames } from "../repeated-names.ts";
import {
  changesOf,
  DictionaryNotFoundError,
  type EntryText,
  type WholeDictionary,
  withChanges,
} from "./data-dictionary.ts";
import { dictionaryPatched } from "./data-dictionary-events.ts";
import { type WriteDependencies, writeChanges } from "./write-changes.ts";

export interface DictionaryPatch {
  organisationId: string;
  datasetId: string;
  author: Author;
  texts: readonly EntryText[];
  /** A program may replace what a person wrote. */
  override: boolean;
  /** Answers what would be, and changes nothing. */
  dryRun: boolean;
  /** Entity tags, one of which the dictionary must have; "": any. */
  ifMatch: string;
}

/** The dictionary after a write. */
export interface WrittenDictionary extends Pick<WholeDictionary, "entries"> {
  /** That the dictionary has now: after a dry run still the one it had. */
  version: number;
}

/**
 * Creates or replaces entries by exact name and answers the whole dictionary; nothing is written or announced where
 * nothing changes.
 * @throws InvalidFieldsError, DictionaryNotFoundError, EntityTagMismatchError, DictionaryLimitError
 */
export async function patchDataDictionary(
  dependencies: WriteDependencies,
  patch: DictionaryPatch,
): Promise<WrittenDictionary> {
  const { dictionaries, entries, outbox, transaction, clock, newId } = dependencies;
  const { organisationId, datasetId, author, ifMatch, dryRun } = patch;
  const names = patch.texts.map(({ name }) => name);
  assertNone(repeatedNames(names, (index) => `entries[${index}].name`));
  return transaction(async (session) => {
    const dictionary = await (dryRun
      ? dictionaries.find(organisationId, datasetId, session)
      : dictionaries.claim(organisationId, datasetId, session));
    if (!dictionary) throw new DictionaryNotFoundError(datasetId);
    assertMatch(ifMatch, dictionary.version, "dictionary");
    const whole = { dictionary, entries: await entries.list(organisationId, datasetId, session) };
    const changes = changesOf(whole, patch, newId);
    if (changes.length === 0) return { entries: whole.entries, version: dictionary.version };
    if (dryRun) return { entries: withChanges(whole, changes).entries, version: dictionary.version };
    const time = clock();
    const next = await writeChanges(dependencies, whole, { changes, author, time }, session);
    await outbox.stage(session, dictionaryPatched(next.dictionary, changes.length, time));
    return { entries: next.entries, version: next.dictionary.version };
  });
}

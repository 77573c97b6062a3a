import { NotFoundError } from "@aiplatform/service-kit/not-found";
import type { Author } from "../author.ts";

/** A data dictionary, without its entries. */
export interface Dictionary {
  /** The dataset's id is its own. */
  datasetId: string;
  organisationId: string;
  /** Grows by one with each change. */
  version: number;
  /** Where the next new entry goes. */
  nextPosition: number;
  entryCount: number;
  /** Bytes of all names and descriptions (UTF-8). */
  bytes: number;
}

/** What a name in a dataset means. */
export interface EntryText {
  name: string;
  /** "" where nothing is said. */
  description: string;
}

/** An entry as it is kept. */
export interface Entry extends EntryText {
  id: string;
  /** Of its first appearance. */
  position: number;
  /** Of the description. */
  author: Author;
}

/** One entry that became another. */
export interface EntryChange {
  name: string;
  /** Undefined where there was no entry. */
  before: Entry | undefined;
  /** Undefined where there is none from then on. */
  after: Entry | undefined;
}

/** A dictionary with its entries, in the order of their first appearance. */
export interface WholeDictionary {
  dictionary: Dictionary;
  entries: Entry[];
}

/** Entries of a dictionary at most. */
export const maxEntries = 10_000;
/** Bytes of a dictionary's names and descriptions at most: it is always answered whole, and answers end at 16 MiB. */
export const maxBytes: number = 8 * 1024 * 1024;

export class DictionaryNotFoundError extends NotFoundError {
  override name = "DictionaryNotFoundError";
}

export class EntryNotFoundError extends NotFoundError {
  override name = "EntryNotFoundError";
}

/** A program may not delete what a person wrote, unless it says that it means to. */
export class TextOfAPersonError extends Error {
  override name = "TextOfAPersonError";
  constructor() {
    super("A person wrote the text: only `override` lets a program delete it");
  }
}

export class DictionaryLimitError extends Error {
  override name = "DictionaryLimitError";
  constructor() {
    super(`A dictionary holds ${maxEntries} entries and ${maxBytes / 1024 / 1024} MiB of text at most`);
  }
}

/** A dictionary that has just come to be. */
export function newDictionary(organisationId: string, datasetId: string): Dictionary {
  return { datasetId, organisationId, version: 0, nextPosition: 0, entryCount: 0, bytes: 0 };
}

/** What a patch is worth: who writes, and whether a program may replace what a person wrote. */
export interface Patch {
  texts: readonly EntryText[];
  author: Author;
  override: boolean;
}

/** The changes that a patch makes, in its order. What it leaves as it is is no change. */
export function changesOf(
  whole: WholeDictionary,
  { texts, author, override }: Patch,
  newId: () => string,
): EntryChange[] {
  const known = new Map(whole.entries.map((entry) => [entry.name, entry]));
  let position = whole.dictionary.nextPosition;
  return texts.flatMap(({ name, description }) => {
    const before = known.get(name);
    if (before && (before.description === description || isKept(before, author, override))) return [];
    const place = before ?? { id: newId(), position: position++ };
    return [{ name, before, after: { id: place.id, position: place.position, name, description, author } }];
  });
}

/** What a person wrote stays when a program writes, unless that is meant. There is nothing to keep of an empty text. */
export function isKept(
  { author, description }: Pick<Entry, "author" | "description">,
  by: Author,
  override: boolean,
): boolean {
  return author.kind === "person" && description !== "" && by.kind === "program" && !override;
}

/** The dictionary after the changes. @throws DictionaryLimitError */
export function withChanges(
  { dictionary, entries }: WholeDictionary,
  changes: readonly EntryChange[],
): WholeDictionary {
  const byName = new Map(entries.map((entry) => [entry.name, entry]));
  for (const { name, after } of changes) {
    if (after) byName.set(name, after);
    else byName.delete(name);
  }
  const next = {
    ...dictionary,
    version: dictionary.version + 1,
    nextPosition: dictionary.nextPosition + changes.filter(({ before }) => before === undefined).length,
    entryCount: byName.size,
    bytes: changes.reduce((bytes, { before, after }) => bytes + bytesOf(after) - bytesOf(before), dictionary.bytes),
  };
  const hasGrown = next.entryCount > dictionary.entryCount || next.bytes > dictionary.bytes;
  if (hasGrown && (next.entryCount > maxEntries || next.bytes > maxBytes)) throw new DictionaryLimitError();
  // A map keeps the order in which its keys came, and changed entries keep their key.
  return { dictionary: next, entries: [...byName.values()] };
}

function bytesOf(entry: EntryText | undefined): number {
  return entry === undefined ? 0 : Buffer.byteLength(entry.name) + Buffer.byteLength(entry.description);
}

const uuid = /^(?:urn:uuid:|\{)?([0-9a-f]{8})-?([0-9a-f]{4})-?([0-9a-f]{4})-?([0-9a-f]{4})-?([0-9a-f]{12})\}?$/;

/** A dataset's id in the spelling that we keep. What is no UUID in any spelling stays as it is, and is no dataset's. */
export function datasetIdIn(text: string): string {
  return uuid.exec(text.toLowerCase())?.slice(1).join("-") ?? text;
}

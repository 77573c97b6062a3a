import type { Problem } from "@aiplatform/client";
import type { DictionaryEntry } from "../../api/platform.ts";

/** An entry that is not in the dictionary yet. */
export interface AddedEntry extends DictionaryEntry {
  /** Known on the page alone. */
  id: string;
}

/** What was typed and not written yet. */
export interface DictionaryEdits {
  /** New texts of names that are shown. */
  texts: ReadonlyMap<string, string>;
  added: readonly AddedEntry[];
}

export const noEdits: DictionaryEdits = { texts: new Map(), added: [] };

/** An entry to write, and the row of the page that it comes from. */
export interface WantedEntry {
  row: string;
  entry: DictionaryEntry;
}

export const rowOfName = (name: string): string => `name ${name}`;
export const rowOfAdded = (id: string): string => `added ${id}`;

/** What the edits would write: texts that differ from those that are there, then new entries with a name. */
export function wantedEntries(entries: readonly DictionaryEntry[], { texts, added }: DictionaryEdits): WantedEntry[] {
  const before = textsOf(entries);
  const changed = [...texts]
    .filter(([name, text]) => text !== (before.get(name) ?? ""))
    .map(([name, description]) => ({ row: rowOfName(name), entry: { name, description } }));
  const fresh = added
    .filter(({ name, description }) => name !== "" || description !== "")
    .map(({ id, name, description }) => ({ row: rowOfAdded(id), entry: { name, description } }));
  return [...changed, ...fresh];
}

/** What the refusal of a write says, by the row that it is about. */
export function problemsByRow(
  problems: readonly Problem[],
  wanted: readonly WantedEntry[],
): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  for (const { loc, msg } of problems) {
    const [place, index, field] = loc;
    const row = place === "body" && typeof index === "number" ? wanted[index]?.row : undefined;
    if (row === undefined) continue;
    const text = field === undefined ? msg : `${field}: ${msg}`;
    texts.set(row, [texts.get(row), text].filter(Boolean).join("; "));
  }
  return texts;
}

/** What becomes of an entry that is written. `kept`: the text that is there stays, because a person wrote it. */
export interface EntryOutcome {
  name: string;
  outcome: "new" | "changed" | "kept";
  before: string;
  after: string;
}

/** Compares a dictionary with the one that a dry run answers, for the entries that were sent. */
export function outcomesOf(
  before: readonly DictionaryEntry[],
  wanted: readonly WantedEntry[],
  answered: readonly DictionaryEntry[],
): EntryOutcome[] {
  const old = textsOf(before);
  const next = textsOf(answered);
  return wanted.map(({ entry: { name, description } }) => {
    const [text, after] = [old.get(name), next.get(name) ?? ""];
    const outcome = after !== description ? "kept" : text === undefined ? "new" : "changed";
    return { name, outcome, before: text ?? "", after: outcome === "kept" ? description : after };
  });
}

function textsOf(entries: readonly DictionaryEntry[]): ReadonlyMap<string, string> {
  return new Map(entries.map(({ name, description }) => [name, description]));
}

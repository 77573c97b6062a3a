import type { Dataset, DictionaryEntry } from "../../api/platform.ts";

/** A name of the dictionary, or a column that has no entry. */
export interface DictionaryRow {
  name: string;
  /** The type of the column; undefined for a term that is no column. */
  type: string | undefined;
  description: string;
  hasEntry: boolean;
}

/** The entries in their order, then columns without one. */
export function dictionaryRows(columns: Dataset["columns"], entries: readonly DictionaryEntry[]): DictionaryRow[] {
  const types = new Map(columns.map(({ name, type }) => [name, type]));
  const names = new Set(entries.map(({ name }) => name));
  const described = entries.map((entry) => ({ ...entry, type: types.get(entry.name), hasEntry: true }));
  const others = columns
    .filter(({ name }) => !names.has(name))
    .map(({ name, type }) => ({ name, type, description: "", hasEntry: false }));
  return [...described, ...others];
}

/** Rows whose name or text has the words that are looked for, in any case. */
export function foundRows(rows: readonly DictionaryRow[], find: string): readonly DictionaryRow[] {
  const wanted = find.trim().toLowerCase();
  if (wanted === "") return rows;
  return rows.filter(({ name, description }) => `${name}\n${description}`.toLowerCase().includes(wanted));
}

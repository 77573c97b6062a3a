import type { SearchKind } from "@aiplatform/contract/aiplatform/search/v1/search";
import { searchWords } from "./search-words.ts";

type Condition = Readonly<Record<string, unknown>>;

/** How things of a kind are stored. */
export interface SearchedCollection {
  kind: SearchKind;
  collection: string;
  /** Path of what people call it. */
  name: string;
  /** Paths of its other texts, also those in lists. */
  texts: readonly string[];
  /** Parameters of the path that reads it, and where documents have them. */
  parameters: Readonly<Record<string, string>>;
  /** Index that has documents in the order of the results: by time, or without a time by id. */
  orderIndex: string;
  /** Whether documents have `created_at`. Default true. */
  hasTime?: boolean;
  /** Conditions of what can be found. Default: everything. */
  within?: Condition;
  /** Conditions of what is not archived. Default: nothing is archived. */
  unarchived?: Condition;
}

/** Index of a collection that is searched. */
export const searchIndex: { name: string; key: Record<string, 1> } = {
  name: "search",
  key: { organisation_id: 1, search_words: 1 },
};

/** The member of a document that it is found by. */
export interface SearchFields {
  search_words: string[];
}

/** What a document is found by: store it with the document, whenever a text of it changes. */
export function searchFields(
  { name, texts }: Pick<SearchedCollection, "name" | "texts">,
  document: object,
): SearchFields {
  return { search_words: searchWords([name, ...texts].flatMap((path) => textsAt(document, path))) };
}

/** The texts that a document has at a path. */
export function textsAt(document: object, path: string): string[] {
  let values: unknown[] = [document];
  for (const name of path.split(".")) values = values.flatMap((value): unknown[] => listOf(Object(value)[name]));
  return values.filter((value) => typeof value === "string");
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [value];
}

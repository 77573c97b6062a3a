import type { TenantCollection, TenantDocument, TenantFilter } from "@aiplatform/document-store";

/** What is looked for of the lineage. */
export interface LineageSearch {
  organisationId: string;
  /** Things themselves. */
  ids: readonly string[];
  /** What was made of these is looked for, too. */
  sourceIds: readonly string[];
  /** Is not looked for as made of `sourceIds`. */
  knownIds: readonly string[];
  /** Things at most that were made of `sourceIds`. 0: they are counted alone. */
  limit: number;
}

/** How a collection answers a search. */
export interface LineageFilters<T> {
  /** Finds the things themselves. */
  named: TenantFilter<T>;
  /** Finds what was made of the sources; an index answers it. */
  derived: TenantFilter<T>;
  /** Paths that are read. */
  only: readonly string[];
}

/** Things of one kind. */
export interface LineageMatches<T> {
  /** Those that were asked for, then those that were made of the sources, the oldest first. */
  things: T[];
  /** How many were made of the sources, without those that are known. */
  total: number;
}

/** Things of one kind that are counted at most. */
const maxCounted = 100_000;

const oldestFirst = { created_at: 1, _id: 1 } as const;

/** What a collection knows of the lineage. */
export async function findLineage<T extends TenantDocument>(
  collection: TenantCollection<T>,
  { organisationId, ids, sourceIds, limit }: LineageSearch,
  { named, derived, only }: LineageFilters<T>,
): Promise<LineageMatches<T>> {
  const asked = ids.length > 0 ? await collection.find(organisationId, named, { sort: oldestFirst, only }) : [];
  if (sourceIds.length === 0) return { things: asked, total: 0 };
  const found = limit > 0 ? await collection.find(organisationId, derived, { sort: oldestFirst, limit, only }) : [];
  const isAll = limit > 0 && found.length < limit;
  const total = isAll ? found.length : await collection.count(organisationId, derived, { limit: maxCounted });
  return { things: [...asked, ...found], total };
}

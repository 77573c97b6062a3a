import type { LineageMatches, LineageSearch, Thing } from "@aiplatform/service-kit/lineage";

/** Runs of a collection. */
interface KeptRuns {
  lineage(search: LineageSearch): Promise<LineageMatches<Thing>>;
}

export interface RunLineageDependencies {
  runs: KeptRuns;
  deletedRuns: KeptRuns;
}

/** Runs of the lineage: those that there are, then those that are deleted. */
export async function findRuns(
  { runs, deletedRuns }: RunLineageDependencies,
  search: LineageSearch,
): Promise<LineageMatches<Thing>> {
  const there = await runs.lineage(search);
  const limit = Math.max(0, search.limit - there.things.length);
  const gone = await deletedRuns.lineage({ ...search, limit });
  return { things: [...there.things, ...gone.things], total: there.total + gone.total };
}

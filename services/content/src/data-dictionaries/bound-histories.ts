import type { ChangeStore } from "./change-store.ts";
import type { DictionaryStore } from "./data-dictionary-store.ts";

/** How much of its history a dictionary keeps. */
export interface HistoryBounds {
  /** Newest changes of an entry. */
  ofEntry: number;
  /** Newest changes of a dictionary. */
  ofDictionary: number;
  /** A dictionary is pruned again after so many changes: by so many may it exceed its bounds. */
  slack: number;
}

/** What a history keeps, besides the changes since it was last pruned. */
export const historyBounds: HistoryBounds = { ofEntry: 1_000, ofDictionary: 50_000, slack: 1_000 };
/** Dictionaries that are pruned in one round. */
const maxPerRound = 20;

interface Dependencies {
  dictionaries: DictionaryStore;
  entryChanges: Pick<ChangeStore, "prune">;
}

/**
 * Forgets the oldest changes of dictionaries that had many; answers how many were forgotten. It may be killed at any time,
 * and run by several at once: what is left is found by the next round.
 */
export async function boundHistories(
  { dictionaries, entryChanges }: Dependencies,
  bounds: HistoryBounds = historyBounds,
): Promise<number> {
  let forgotten = 0;
  for (const grown of await dictionaries.grown(bounds.slack, maxPerRound)) {
    const { organisationId, datasetId, changes } = grown;
    forgotten += await entryChanges.prune(organisationId, datasetId, bounds);
    // Only now: a round that is cut short begins again.
    await dictionaries.noteBounded(organisationId, datasetId, changes);
  }
  return forgotten;
}

import { createHash } from "node:crypto";
import type { IndexDescription } from "mongodb";
import { declaredName, versionMark } from "../index-name.ts";
import type { IndexPlan, PlannedIndex } from "./index-plan.ts";

/** An index as the server lists it. */
export interface StoredIndex {
  name: string;
  key: Record<string, unknown>;
  unique?: boolean;
  partialFilterExpression?: object;
  expireAfterSeconds?: number;
  /** No plan declares the two: an index with one is of others. */
  sparse?: boolean;
  collation?: object;
  /** It is not there yet: the command to build it waits for that. */
  isBeingBuilt?: boolean;
}

/** How the indexes of a collection become those of its plan. */
export interface IndexChanges {
  /** To be built before the service answers. */
  required: IndexDescription[];
  /** To be built while it answers. */
  whileServing: IndexDescription[];
  /** Those of which only the retention differs, with the one they are to have, in seconds. */
  retention: { name: string; expireAfterSeconds: number }[];
  /** Names of those that are retired, or that another definition replaces. */
  replaced: string[];
  /** Names at the server that are not the declared ones, by those. */
  names: ReadonlyMap<string, string>;
}

/** 68 years: the server cannot take the retention from an index. */
const neverSeconds = 2 ** 31 - 1;

/**
 * What is missing, what differs, and what is left over. An index whose definition has changed is built beside the former one, under
 * its name with a mark, so that versions which declare the one or the other can both start. Indexes that no plan ever named stay.
 */
export function indexChanges(
  { indexes, retired = [] }: Pick<IndexPlan, "indexes" | "retired">,
  stored: readonly StoredIndex[],
): IndexChanges {
  const changes: Omit<IndexChanges, "names" | "replaced"> = { required: [], whileServing: [], retention: [] };
  const wanted = indexes.map((index) => ({ index, name: nameOf(index), definition: definitionOf(index) }));
  const present = new Map(stored.map((index) => [definitionOf(index), index]));
  const taken = new Set(stored.map(({ name }) => name));
  const names = new Map<string, string>();
  for (const { index, name, definition } of wanted) {
    const found = present.get(definition);
    const nameAtServer = found?.name ?? (taken.has(name) ? `${name}${versionMark}${hashOf(definition)}` : name);
    if (nameAtServer !== name) names.set(name, nameAtServer);
    const expireAfterSeconds = index.expireAfterSeconds ?? neverSeconds;
    if (!found || found.isBeingBuilt) {
      const missing = index.isBuiltWhileServing ? changes.whileServing : changes.required;
      missing.push(descriptionOf(index, nameAtServer));
    } else if ((found.expireAfterSeconds ?? neverSeconds) !== expireAfterSeconds) {
      changes.retention.push({ name: found.name, expireAfterSeconds });
    }
  }
  const definitions = new Set(wanted.map(({ definition }) => definition));
  const ours = new Set([...wanted.map(({ name }) => name), ...retired]);
  const replaced = stored
    .filter(({ isBeingBuilt }) => !isBeingBuilt)
    .filter((index) => ours.has(declaredName(index.name)) && !definitions.has(definitionOf(index)))
    .map(({ name }) => name);
  return { ...changes, replaced, names };
}

/** What tells two sets of plans apart. */
export function fingerprintOf(plans: readonly IndexPlan[]): string {
  const facts = plans.map(({ collection, indexes, retired = [] }) => [
    collection,
    indexes.map((index) => [nameOf(index), definitionOf(index), index.expireAfterSeconds ?? null]),
    retired,
  ]);
  return hashOf(JSON.stringify(facts.toSorted()));
}

/** What the server tells indexes apart by. Two that differ in nothing else cannot both be there. */
function definitionOf(index: Omit<StoredIndex, "name">): string {
  const { key, unique = false, partialFilterExpression = {}, sparse = false, collation = {} } = index;
  return JSON.stringify([Object.entries(key), unique, partialFilterExpression, sparse, collation]);
}

function nameOf({ name, key }: PlannedIndex): string {
  return name ?? Object.entries(key).flat().join("_");
}

function descriptionOf({ isBuiltWhileServing: _, ...index }: PlannedIndex, name: string): IndexDescription {
  return { ...index, name };
}

function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 8);
}

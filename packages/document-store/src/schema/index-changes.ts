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
  const changes: IndexChanges = { required: [], whileServing: [], retention: [], replaced: [] };
  const wanted = indexes.map((index) => ({ index, name: nameOf(index), definition: definitionOf(index) }));
  const present = new Map(stored.map((index) => [definitionOf(index), index]));
  const names = new Set(stored.map(({ name }) => name));
  for (const { index, name, definition } of wanted) {
    const found = present.get(definition);
    const expireAfterSeconds = index.expireAfterSeconds ?? neverSeconds;
    if (!found) {
      const missing = index.isBuiltWhileServing ? changes.whileServing : changes.required;
      missing.push(descriptionOf(index, names.has(name) ? `${name}${versionMark}${hashOf(definition)}` : name));
    } else if ((found.expireAfterSeconds ?? neverSeconds) !== expireAfterSeconds) {
      changes.retention.push({ name: found.name, expireAfterSeconds });
    }
  }
  const definitions = new Set(wanted.map(({ definition }) => definition));
  const ours = new Set([...wanted.map(({ name }) => name), ...retired]);
  changes.replaced = stored
    .filter((index) => ours.has(declaredName(index.name)) && !definitions.has(definitionOf(index)))
    .map(({ name }) => name);
  return changes;
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
function definitionOf({ key, unique = false, partialFilterExpression = {} }: StoredIndex | PlannedIndex): string {
  return JSON.stringify([Object.entries(key), unique, partialFilterExpression]);
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

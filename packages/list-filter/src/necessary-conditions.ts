import type { ListField } from "@aiplatform/transcoder";
import type { Comparison } from "./check-filter.ts";
import { type Binding, bindingOf, comparisonFilter, type MongoFilter } from "./mongo-filter.ts";
import type { Expression } from "./parse-filter.ts";

/** A condition on one field, which one range of an index answers. */
export interface FieldCondition {
  /** The field's own, such as `metrics`. */
  path: string;
  filter: MongoFilter;
}

/** Comparisons of one field that are true together. */
export interface FieldComparisons {
  field: ListField;
  key: string;
  comparisons: readonly Comparison[];
}

/** Comparisons of which at least one is true. */
export type Alternatives = readonly FieldComparisons[];

type Bindings = ReadonlyMap<string, Binding>;

/**
 * What is true of everything that a filter finds: one of each alternatives. What stands behind `NOT` is left out, because an index
 * answers only what there is.
 */
export function necessaryConditions(filter: Expression<Comparison>, bindings: Bindings): Alternatives[] {
  if (filter.kind === "not") return [];
  if (filter.kind === "comparison") {
    const { field, key } = filter;
    return [[{ field, key, comparisons: [filter] }]];
  }
  const parts = filter.of.map((each) => necessaryConditions(each, bindings));
  if (filter.kind === "and") return joined(parts.flat(), bindings);
  const fewest = parts.map((part) => part.toSorted((one, other) => one.length - other.length).slice(0, 1));
  return fewest.every((part) => part.length === 1) ? [fewest.flat(2)] : [];
}

/** As a query. */
export function fieldCondition({ field, key, comparisons }: FieldComparisons, bindings: Bindings): FieldCondition {
  return { path: field.path, filter: comparisonFilter({ key, comparisons }, bindingOf(field, bindings)) };
}

/** Joins comparisons of a field that has one value, because one range answers them. */
function joined(all: readonly Alternatives[], bindings: Bindings): Alternatives[] {
  const ranges = new Map<string, FieldComparisons>();
  const others: Alternatives[] = [];
  for (const alternatives of all) {
    const [first] = alternatives;
    if (alternatives.length !== 1 || !first || !hasOneValue(first.field, bindings)) {
      others.push(alternatives);
      continue;
    }
    const name = `${first.field.path} ${first.key}`;
    const comparisons = [...(ranges.get(name)?.comparisons ?? []), ...first.comparisons];
    ranges.set(name, { ...first, comparisons });
  }
  return [...[...ranges.values()].map((range) => [range]), ...others];
}

/** Whether a document has one value of the field at most, and of a map one of each key. */
export function hasOneValue({ path, isMap, isRepeated }: ListField, bindings: Bindings): boolean {
  if (!isMap) return !isRepeated;
  const binding = bindingOf({ path }, bindings);
  return typeof binding === "object" && "entries" in binding && binding.hasUniqueKeys === true;
}

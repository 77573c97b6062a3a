import type { Comparison, FilterValue } from "./check-filter.ts";
import type { Operator } from "./filter-text.ts";
import type { Expression } from "./parse-filter.ts";

/** A filter of MongoDB. */
export type MongoFilter = Readonly<Record<string, unknown>>;

/**
 * Where documents have a field: a path, where they have something else than what callers write with how that is made, one of several
 * values where they tell more apart than callers do, or the array of `{ key, value }` that holds a map. `keyName`: how its members name
 * the key. Default `key`. `hasUniqueKeys`: whether no two members have the same key. Default false.
 */
export type Binding =
  | string
  | { readonly path: string; readonly encode: (value: FilterValue) => unknown }
  | { readonly path: string; readonly oneOf: (value: FilterValue) => readonly unknown[] }
  | { readonly entries: string; readonly keyName?: string; readonly hasUniqueKeys?: boolean };

const comparisons: Readonly<Record<Exclude<Operator, ":">, string>> = {
  "=": "$eq",
  "!=": "$ne",
  "<": "$lt",
  "<=": "$lte",
  ">": "$gt",
  ">=": "$gte",
};

/** Where documents have a field. */
export function bindingOf({ path }: { path: string }, bindings: ReadonlyMap<string, Binding>): Binding {
  return bindings.get(path) ?? path;
}

/** A filter as a query. Every value stands behind an operator, so that none can be one. */
export function mongoFilter(filter: Expression<Comparison>, bindings: ReadonlyMap<string, Binding>): MongoFilter {
  if (filter.kind === "comparison") {
    return comparisonFilter({ key: filter.key, comparisons: [filter] }, bindingOf(filter.field, bindings));
  }
  if (filter.kind === "not") return { $nor: [mongoFilter(filter.of, bindings)] };
  return { [`$${filter.kind}`]: filter.of.map((each) => mongoFilter(each, bindings)) };
}

/** Comparisons of one field that are true together; of a map, of one of its entries. */
export function comparisonFilter(
  { key, comparisons }: { key: string; comparisons: readonly Comparison[] },
  binding: Binding,
): MongoFilter {
  const values = valueFilter(comparisons, binding);
  if (typeof binding !== "object" || !("entries" in binding)) return values;
  return { [binding.entries]: { $elemMatch: { [binding.keyName ?? "key"]: { $eq: key }, ...values } } };
}

/** What comparisons of one field ask of a document; of a map, of the entry with their key. */
export function valueFilter(comparisons: readonly Comparison[], binding: Binding): MongoFilter {
  const [first, ...others] = comparisons.map((each) => comparisonOfValue(each, binding));
  return others.length === 0 ? { ...first } : { $and: [first, ...others] };
}

function comparisonOfValue({ field, operator, value }: Comparison, binding: Binding): MongoFilter {
  if (typeof binding === "object" && "entries" in binding)
    return value === undefined ? {} : { value: conditionOf(operator, value, field.isOptional) };
  if (typeof binding === "object" && "oneOf" in binding) return oneOf(binding, operator, value);
  const encode = typeof binding === "object" ? binding.encode : (plain: FilterValue) => plain;
  const condition = conditionOf(operator, value === undefined ? undefined : encode(value), field.isOptional);
  return { [typeof binding === "string" ? binding : binding.path]: condition };
}

function oneOf(
  { path, oneOf: valuesOf }: Extract<Binding, { oneOf: unknown }>,
  operator: Operator,
  value: FilterValue | undefined,
): MongoFilter {
  if (value === undefined) return { [path]: { $ne: null } };
  return { [path]: { [operator === "!=" ? "$nin" : "$in"]: [...valuesOf(value)] } };
}

function conditionOf(operator: Operator, value: unknown, isOptional: boolean): MongoFilter {
  if (operator === ":") return { $ne: null };
  // What has no value is not different from a value: it has nothing to compare.
  if (operator === "!=" && isOptional) return { $nin: [value, null] };
  return { [comparisons[operator]]: value };
}

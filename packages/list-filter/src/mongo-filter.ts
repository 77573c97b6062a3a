import type { Comparison, FilterValue } from "./check-filter.ts";
import type { Operator } from "./filter-text.ts";
import type { Expression } from "./parse-filter.ts";

/** A filter of MongoDB. */
export type MongoFilter = Readonly<Record<string, unknown>>;

/**
 * Where documents have a field: a path, where they have something else than what callers write with how that is made, one of several
 * values where they tell more apart than callers do, or the array of `{ key, value }` that holds a map. `keyName`: how its members name
 * the key. Default `key`.
 */
export type Binding =
  | string
  | { readonly path: string; readonly encode: (value: FilterValue) => unknown }
  | { readonly path: string; readonly oneOf: (value: FilterValue) => readonly unknown[] }
  | { readonly entries: string; readonly keyName?: string };

const comparisons: Readonly<Record<Exclude<Operator, ":">, string>> = {
  "=": "$eq",
  "!=": "$ne",
  "<": "$lt",
  "<=": "$lte",
  ">": "$gt",
  ">=": "$gte",
};

/** A filter as a query. Every value stands behind an operator, so that none can be one. */
export function mongoFilter(filter: Expression<Comparison>, bindings: ReadonlyMap<string, Binding>): MongoFilter {
  if (filter.kind === "comparison") return comparison(filter, bindings.get(filter.field.path) ?? filter.field.path);
  if (filter.kind === "not") return { $nor: [mongoFilter(filter.of, bindings)] };
  return { [`$${filter.kind}`]: filter.of.map((each) => mongoFilter(each, bindings)) };
}

function comparison({ field, key, operator, value }: Comparison, binding: Binding): MongoFilter {
  if (typeof binding === "object" && "oneOf" in binding) return oneOf(binding, operator, value);
  const encode = typeof binding === "object" && "encode" in binding ? binding.encode : (plain: FilterValue) => plain;
  const condition = conditionOf(operator, value === undefined ? undefined : encode(value), field.isOptional);
  if (typeof binding === "string") return { [binding]: condition };
  if ("path" in binding) return { [binding.path]: condition };
  const named = { [binding.keyName ?? "key"]: { $eq: key } };
  return { [binding.entries]: { $elemMatch: value === undefined ? named : { ...named, value: condition } } };
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

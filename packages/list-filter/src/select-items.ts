import type { CursorPart, CursorPartType } from "@aiplatform/document-store";
import type { Comparison, FilterValue } from "./check-filter.ts";
import type { Operator } from "./filter-text.ts";
import type { Binding } from "./mongo-filter.ts";
import type { Expression } from "./parse-filter.ts";

/** A member that documents are sorted by, how, and what it holds. */
export type SortKey = readonly [path: string, direction: 1 | -1, type: CursorPartType];

type Bindings = ReadonlyMap<string, Binding>;

/** Whether an item in memory is what a filter asks for. The database answers the same of a document like it. */
export function isSelected(item: object, filter: Expression<Comparison>, bindings: Bindings): boolean {
  switch (filter.kind) {
    case "comparison":
      return compares(item, filter, bindings.get(filter.field.path) ?? filter.field.path);
    case "not":
      return !isSelected(item, filter.of, bindings);
    case "and":
      return filter.of.every((each) => isSelected(item, each, bindings));
    case "or":
      return filter.of.some((each) => isSelected(item, each, bindings));
  }
}

function compares(item: object, { field, key, operator, value }: Comparison, binding: Binding): boolean {
  if (typeof binding === "object" && "entries" in binding) {
    const values = entriesAt(item, binding, key);
    return values.some((each) => value === undefined || holds(each, operator, value));
  }
  const found = valueAt(item, typeof binding === "string" ? binding : binding.path) ?? null;
  if (value === undefined) return found !== null;
  if (operator === "!=" && field.isOptional && found === null) return false;
  const wanted =
    typeof binding === "string" ? [value] : "oneOf" in binding ? binding.oneOf(value) : [binding.encode(value)];
  const values: unknown[] = Array.isArray(found) ? found : [found];
  if (operator === "!=") return !values.some((each) => wanted.some((one) => holds(each, "=", one)));
  return values.some((each) => wanted.some((one) => holds(each, operator, one)));
}

function entriesAt(item: object, { entries, keyName = "key" }: Extract<Binding, { entries: string }>, key: string) {
  const found: unknown = valueAt(item, entries);
  const members: unknown[] = Array.isArray(found) ? found : [];
  return members.filter((each) => Object(each)[keyName] === key).map((each): unknown => Object(each).value);
}

/** As in the database, values of different types are in no order. */
function holds(found: unknown, operator: Operator, value: unknown): boolean {
  const isAlike = typeof found === typeof value && found instanceof Date === value instanceof Date;
  if (!isAlike || !isComparable(found) || !isComparable(value)) {
    return operator === "!=" ? found !== value : operator === "=" && found === value;
  }
  const order = valuesInOrder(found, value);
  const outcomes = {
    "=": order === 0,
    "!=": order !== 0,
    "<": order < 0,
    "<=": order <= 0,
    ">": order > 0,
    ">=": order >= 0,
  };
  return operator === ":" || outcomes[operator];
}

function isComparable(value: unknown): value is FilterValue {
  return ["string", "number", "boolean"].includes(typeof value) || value instanceof Date;
}

/** Below 0 when the first comes first in the order of a list, above when the second does. */
export function itemsInOrder(
  keys: readonly SortKey[],
  one: readonly CursorPart[],
  other: readonly CursorPart[],
): number {
  for (const [index, [, direction]] of keys.entries()) {
    const order = valuesInOrder(one[index] ?? "", other[index] ?? "");
    if (order !== 0) return order * direction;
  }
  return 0;
}

/** Texts by their bytes, as the database has them. */
function valuesInOrder(one: FilterValue, other: FilterValue): number {
  if (typeof one === "string" && typeof other === "string") return Buffer.compare(Buffer.from(one), Buffer.from(other));
  return Number(one) - Number(other);
}

/** What an item has at a path of one or more members. */
export function valueAt(item: object, path: string): unknown {
  let value: unknown = item;
  for (const name of path.split(".")) value = Object(value)[name];
  return value;
}

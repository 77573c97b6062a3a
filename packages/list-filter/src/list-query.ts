import {
  type CursorPart,
  type CursorPartType,
  decodeCursor,
  encodeCursor,
  InvalidCursorError,
  type Page,
} from "@aiplatform/document-store";
import { type ListDeclaration, type ListField, listDeclaration } from "@aiplatform/transcoder";
import type { DescMessage } from "@bufbuild/protobuf";
import type { Comparison, FilterValue } from "./check-filter.ts";
import { type Binding, bindingOf, type MongoFilter, mongoFilter, valueFilter } from "./mongo-filter.ts";
import {
  type Alternatives,
  type FieldComparisons,
  type FieldCondition,
  fieldCondition,
  hasOneValue,
  necessaryConditions,
} from "./necessary-conditions.ts";
import type { Expression } from "./parse-filter.ts";
import type { ListOrder } from "./parse-order.ts";
import { type ListRequest, readListRequest } from "./read-list-request.ts";
import { isSelected, itemsInOrder, type SortKey, valueAt } from "./select-items.ts";

/** Default number of items of a page. */
export const defaultPageLimit = 1_000;

/** A page of what a request asks for. */
export interface ListPageRequest extends ListRequest {
  /** Items at most. Default 1,000. */
  limit?: number | undefined;
  /** `nextCursor` of the page before; empty: from the start. */
  cursor: string;
}

/** How a list of documents is stored. */
export interface ListStorage {
  /** Fields that documents have elsewhere than at the field's own path. */
  bindings?: Readonly<Record<string, Binding>>;
  /** The order without `order_by`; together the keys are unique. Default: by creation, the newest first. */
  defaultSort?: readonly SortKey[];
  /** Fields that no two documents of a list share: an order by one needs no id behind it. Default: none. */
  unique?: readonly string[];
}

const newest: readonly SortKey[] = [
  ["created_at", -1, "date"],
  ["_id", -1, "string"],
];

/** The order of creation, as a `defaultSort`. */
export const oldestFirst: readonly SortKey[] = [
  ["created_at", 1, "date"],
  ["_id", 1, "string"],
];

const partTypes: Readonly<Record<ListField["type"], CursorPartType>> = {
  text: "string",
  id: "string",
  enum: "string",
  boolean: "string",
  number: "number",
  scalar: "number",
  timestamp: "date",
};

/** What a list can be asked for: its declaration in the contract, bound to the documents of a store. */
export class ListQuery {
  readonly #list: ListDeclaration;
  readonly #bindings: ReadonlyMap<string, Binding>;
  readonly #defaultSort: readonly SortKey[];
  readonly #unique: readonly string[];

  /** Throws when storage binds what the contract does not declare. */
  constructor(request: DescMessage, { bindings = {}, defaultSort = newest, unique = [] }: ListStorage = {}) {
    const list = listDeclaration(request);
    if (list === undefined) throw new Error(`${request.typeName} declares no list`);
    const unknown = Object.keys(bindings).filter((path) => !list.fields.some((field) => field.path === path));
    if (unknown.length > 0) throw new Error(`${request.typeName} declares no field ${unknown.join(", ")}`);
    this.#list = list;
    this.#bindings = new Map(Object.entries(bindings));
    this.#defaultSort = defaultSort;
    this.#unique = unique;
  }

  /** What the request asks for, all of its faults at once. @throws InvalidListRequestError */
  read(request: ListRequest): ListSelection {
    const { condition, order } = readListRequest(this.#list, request);
    return new ListSelection({ condition, bindings: this.#bindings }, { order, sort: this.#sort(order) });
  }

  #sort(order: ListOrder | undefined): readonly SortKey[] {
    if (order === undefined) return this.#defaultSort;
    const direction = order.isDescending ? -1 : 1;
    const path = this.#pathOf(order.field);
    if (path === this.#defaultSort[0]?.[0]) return turned(this.#defaultSort, direction);
    const key = [path, direction, partTypes[order.field.type]] as const;
    return this.#unique.includes(order.field.path) ? [key] : [key, ["_id", direction, "string"]];
  }

  #pathOf({ path }: ListField): string {
    const binding = this.#bindings.get(path) ?? path;
    if (typeof binding === "string") return binding;
    return "path" in binding ? binding.path : "value";
  }
}

/** The default order, or its reverse: one index answers both. */
function turned(keys: readonly SortKey[], direction: 1 | -1): readonly SortKey[] {
  if (keys[0]?.[1] === direction) return keys;
  return keys.map(([path, each, type]) => [path, each === 1 ? -1 : 1, type]);
}

interface SelectionFilter {
  condition: Expression<Comparison> | undefined;
  bindings: ReadonlyMap<string, Binding>;
}

interface SelectionOrder {
  order: ListOrder | undefined;
  sort: readonly SortKey[];
}

/** A filter and an order, both checked. */
export class ListSelection {
  /** Conditions of the documents; empty: none. */
  readonly filter: MongoFilter;
  /** What was asked for; undefined: the default. */
  readonly order: ListOrder | undefined;
  readonly #of: SelectionFilter;
  readonly #necessary: readonly Alternatives[];
  readonly #keys: readonly SortKey[];

  constructor(of: SelectionFilter, { order, sort }: SelectionOrder) {
    this.filter = of.condition ? mongoFilter(of.condition, of.bindings) : {};
    this.order = order;
    this.#of = of;
    this.#necessary = of.condition ? necessaryConditions(of.condition, of.bindings) : [];
    this.#keys = sort;
  }

  /** For MongoDB. */
  get sort(): Readonly<Record<string, 1 | -1>> {
    return Object.fromEntries(this.#keys.map(([path, direction]) => [path, direction]));
  }

  /** What belongs to the list behind a cursor, together with a condition of its own. @throws InvalidCursorError */
  after(cursor: string, within: MongoFilter = {}): MongoFilter {
    const place = this.placeAfter(cursor);
    const conditions = [this.filter, place].filter((each) => Object.keys(each).length > 0);
    return conditions.length === 0 ? within : { ...within, $and: conditions };
  }

  /** What comes behind a cursor in this order. @throws InvalidCursorError */
  placeAfter(cursor: string): MongoFilter {
    if (cursor === "") return {};
    const parts = this.#partsOf(cursor);
    const [first] = this.#keys;
    if (!first) return {};
    const [path, direction] = first;
    // The first condition is what an index can use.
    return { [path]: { [direction === 1 ? "$gte" : "$lte"]: parts[0] }, $or: this.#placesAfter(parts) };
  }

  /** What comes behind a place: one of these. */
  #placesAfter(parts: readonly CursorPart[]): MongoFilter[] {
    const keys = this.#keys.map(([path, direction], index) => ({ path, direction, part: parts[index] }));
    return keys.map(({ path, direction, part }, index) => ({
      ...Object.fromEntries(keys.slice(0, index).map((before) => [before.path, { $eq: before.part }])),
      [path]: { [direction === 1 ? "$gt" : "$lt"]: part },
    }));
  }

  /** Conditions on single fields: everything that the filter finds satisfies at least one of each alternatives. */
  get necessary(): FieldCondition[][] {
    return this.#necessary.map((each) => each.map((one) => fieldCondition(one, this.#of.bindings)));
  }

  /** The only value of a field that the filter finds; undefined where it may find others. */
  valueOf(path: string): FilterValue | undefined {
    const { comparisons = [] } = this.#askedOf(({ field }) => field.path === path) ?? {};
    return comparisons.find(({ operator }) => operator === "=")?.value;
  }

  /**
   * What comes behind a cursor in this order, and satisfies what the filter asks of the field of the order. It says nothing of other
   * fields, so that an index of the order answers it. @throws InvalidCursorError
   */
  rangeAfter(cursor: string): MongoFilter {
    const { order } = this;
    const [first] = this.#keys;
    const asked = this.#askedOf(({ field: { path }, key }) =>
      order ? path === order.field.path && key === order.key : path === first?.[0],
    );
    const range = asked ? valueFilter(asked.comparisons, bindingOf(asked.field, this.#of.bindings)) : {};
    if (cursor === "") return range;
    // Ranges that do not meet: the database reads each from the index, and nothing besides.
    return { $or: this.#placesAfter(this.#partsOf(cursor)).map((place) => ({ $and: [range, place] })) };
  }

  /** What everything that the filter finds satisfies of a field with one value. */
  #askedOf(isMeant: (of: FieldComparisons) => boolean): FieldComparisons | undefined {
    const alone = this.#necessary.flatMap((each) => (each.length === 1 ? each : []));
    return alone.find((each) => isMeant(each) && hasOneValue(each.field, this.#of.bindings));
  }

  /** Those of items in memory that belong to the list behind a cursor, in order. @throws InvalidCursorError */
  among<T extends object>(items: readonly T[], cursor: string): T[] {
    const { condition, bindings } = this.#of;
    const place = cursor === "" ? undefined : this.#partsOf(cursor);
    const isBehind = (item: T) => !place || itemsInOrder(this.#keys, partsOf(item, this.#keys), place) > 0;
    const found = items.filter((item) => (!condition || isSelected(item, condition, bindings)) && isBehind(item));
    return this.inOrder(found);
  }

  /** Items in the order of the list. */
  inOrder<T extends object>(items: readonly T[]): T[] {
    const keys = this.#keys;
    return items.toSorted((one, other) => itemsInOrder(keys, partsOf(one, keys), partsOf(other, keys)));
  }

  /** The page that begins items of the list, which are one more than it holds where another page follows. */
  page<T extends object>(found: readonly T[], { limit = defaultPageLimit }: Pick<ListPageRequest, "limit">): Page<T> {
    const items = found.slice(0, limit);
    const last = items.at(-1);
    return { items, nextCursor: last && found.length > limit ? this.cursorAfter(last) : "" };
  }

  /** The cursor behind a document. */
  cursorAfter(document: object): string {
    return encodeCursor([...this.#name(), ...partsOf(document, this.#keys)]);
  }

  /** A cursor is good for its own order alone; that of the default order has no name in it. */
  #name(): string[] {
    if (!this.order) return [];
    const { field, key, isDescending } = this.order;
    return [`${field.path} ${key} ${isDescending ? "desc" : "asc"}`];
  }

  #partsOf(cursor: string): CursorPart[] {
    const name = this.#name();
    const types = [...name.map(() => "string" as const), ...this.#keys.map(([, , type]) => type)];
    const parts = decodeCursor(cursor, types);
    const isOther = name.some((part, index) => parts[index] !== part);
    if (isOther) throw new InvalidCursorError();
    return parts.slice(name.length);
  }
}

function partsOf(document: object, keys: readonly SortKey[]): CursorPart[] {
  return keys.map(([path]) => partAt(document, path));
}

/** What a document has at a path of one or more members. */
function partAt(document: object, path: string): CursorPart {
  const value = valueAt(document, path);
  if (typeof value === "string" || typeof value === "number" || value instanceof Date) return value;
  throw new Error(`a document has nothing to sort by at ${path}`);
}

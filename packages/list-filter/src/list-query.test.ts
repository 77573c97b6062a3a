import { ListFieldType, ListSchema, list } from "@aiplatform/contract/transcoder/v1/route";
import { InvalidCursorError } from "@aiplatform/document-store";
import { create, createFileRegistry, fromBinary, setExtension, toBinary } from "@bufbuild/protobuf";
import { FileDescriptorProtoSchema, FileDescriptorSetSchema } from "@bufbuild/protobuf/wkt";
import { describe, expect, it } from "vitest";
import { InvalidListRequestError, ListQuery } from "./index.ts";
import { maxDepth, maxFilterLength, maxRestrictions } from "./parse-filter.ts";

const { TEXT, NUMBER, BOOLEAN, ENUM, TIMESTAMP, SCALAR } = ListFieldType;

/** A request like those of the contract, with a field of each kind. */
function requestOf(
  fields: Parameters<typeof create<typeof ListSchema>>[1] extends { fields?: infer F } | undefined ? F : never,
) {
  const file = create(FileDescriptorProtoSchema, {
    name: "boats.proto",
    syntax: "proto3",
    enumType: [
      {
        name: "Rig",
        value: [{ name: "RIG_UNSPECIFIED" }, { name: "RIG_SLOOP", number: 1 }, { name: "RIG_KETCH", number: 2 }],
      },
    ],
    messageType: [
      {
        name: "ListBoatsRequest",
        field: ["filter", "order_by"].map((name, index) => ({ name, number: index + 1, type: 9, label: 1 })),
        options: {},
      },
    ],
  });
  const options = file.messageType[0]?.options;
  if (!options) throw new Error("no options");
  setExtension(options, list, create(ListSchema, { fields: fields ?? [], defaultOrder: "created_at desc" }));
  const bytes = toBinary(FileDescriptorSetSchema, create(FileDescriptorSetSchema, { file: [file] }));
  const message = createFileRegistry(fromBinary(FileDescriptorSetSchema, bytes)).getMessage("ListBoatsRequest");
  if (!message) throw new Error("no message");
  return message;
}

const boats = requestOf([
  { path: "name", type: TEXT, sortable: true },
  { path: "length", type: NUMBER, sortable: true },
  { path: "is_new", type: BOOLEAN },
  { path: "rig", type: ENUM, enum: "Rig" },
  { path: "created_at", type: TIMESTAMP, sortable: true },
  { path: "sold_at", type: TIMESTAMP, optional: true },
  { path: "owners.name", type: TEXT, repeated: true },
  { path: "measures.*", type: SCALAR, sortable: true },
]);
const query = new ListQuery(boats, {
  bindings: {
    "owners.name": "people.name",
    measures: { entries: "values" },
    rig: { path: "rig_number", encode: (value) => (value === "sloop" ? 1 : 2) },
  },
});

const filterOf = (filter: string) => query.read({ filter, orderBy: "" }).filter;

/** What a filter or an order is refused with. */
function faultsOf(filter: string, orderBy = ""): string[] {
  try {
    query.read({ filter, orderBy });
  } catch (error) {
    if (error instanceof InvalidListRequestError)
      return error.violations.map(({ field, description }) => `${field}: ${description}`);
    throw error;
  }
  return [];
}

const name = (value: string) => ({ name: { $eq: value } });

describe("a filter", () => {
  it.each<[filter: string, query: object]>([
    ["", {}],
    ["  ", {}],
    ["name = sloop", name("sloop")],
    ["name=sloop", name("sloop")],
    ['name = "two words"', name("two words")],
    [String.raw`name = "a \"quoted\" \\ text"`, name(String.raw`a "quoted" \ text`)],
    ["name = 'it'", name("it")],
    ['name = "$gt"', name("$gt")],
    ["length >= -1.5e3", { length: { $gte: -1500 } }],
    ["length<10", { length: { $lt: 10 } }],
    ["length != 10", { length: { $ne: 10 } }],
    ["is_new = true", { is_new: { $eq: true } }],
    ["rig = ketch", { rig_number: { $eq: 2 } }],
    ["created_at > 2026-03-02T09:00:00Z", { created_at: { $gt: new Date("2026-03-02T09:00:00Z") } }],
    ['created_at <= "2026-03-02T09:00:00.5+01:00"', { created_at: { $lte: new Date("2026-03-02T08:00:00.500Z") } }],
    ["sold_at:*", { sold_at: { $ne: null } }],
    ["NOT sold_at:*", { $nor: [{ sold_at: { $ne: null } }] }],
    ["sold_at != 2026-03-02T09:00:00Z", { sold_at: { $nin: [new Date("2026-03-02T09:00:00Z"), null] } }],
    ["owners.name:ann", { "people.name": { $eq: "ann" } }],
    ["owners.name = ann", { "people.name": { $eq: "ann" } }],
    ["measures.mast.height > 9", { values: { $elemMatch: { key: { $eq: "mast.height" }, value: { $gt: 9 } } } }],
    ['measures."a b" = x', { values: { $elemMatch: { key: { $eq: "a b" }, value: { $eq: "x" } } } }],
    ['measures.mast."a.b" = "9"', { values: { $elemMatch: { key: { $eq: "mast.a.b" }, value: { $eq: "9" } } } }],
    ['measures."a b".c = false', { values: { $elemMatch: { key: { $eq: "a b.c" }, value: { $eq: false } } } }],
    ["measures.val/loss:*", { values: { $elemMatch: { key: { $eq: "val/loss" } } } }],
    ["measures:mast", { values: { $elemMatch: { key: { $eq: "mast" } } } }],
    ["name = a AND name = b AND name = c", { $and: [name("a"), name("b"), name("c")] }],
    ["name = a OR name = b", { $or: [name("a"), name("b")] }],
    ["name = a AND (name = b OR name = c)", { $and: [name("a"), { $or: [name("b"), name("c")] }] }],
    ["NOT (name = a OR NOT name = b)", { $nor: [{ $or: [name("a"), { $nor: [name("b")] }] }] }],
    ["((name = a))", name("a")],
  ])("reads %s", (filter, expected) => {
    expect(filterOf(filter)).toEqual(expected);
  });

  it.each([
    [
      "naem = x",
      "at character 1: no such field: use one of name, length, is_new, rig, created_at, sold_at, owners.name, measures.<key>",
    ],
    ["length = 5 AND naem = x", "at character 16: no such field"],
    ["length = abc", "at character 10: length is compared with a number, such as 0.01"],
    ["length = 1e999", "at character 10: length is compared with a number"],
    ["is_new = yes", "at character 10: is_new is compared with true or false"],
    ["rig = SLOOP", "at character 7: rig is compared with one of sloop, ketch"],
    [
      "created_at > yesterday",
      "at character 14: created_at is compared with a time with its zone, such as 2026-03-02T09:00:00Z",
    ],
    ["created_at > 2026-02-31T09:00:00Z", "at character 14: created_at is compared with a time"],
    ["created_at > 2026-03-02T09:00:00", "at character 14: created_at is compared with a time with its zone"],
    ["rig > sloop", "at character 1: rig cannot be compared by >: use one of = !="],
    ["name:x", "at character 1: name cannot be compared by :"],
    ["owners.name != ann", "at character 1: owners.name cannot be compared by !=: use one of = :"],
    ["sold_at:2026-03-02T09:00:00Z", "at character 9: sold_at: takes * alone"],
    ["name", "at character 5: expected one of = != < <= > >= : after the field, found the end"],
    ["name =", "at character 7: expected a value after =, found the end"],
    ["name = a b", "at character 10: expected AND, OR or the end, found a word"],
    ["name = a and name = b", "at character 10: write AND in capitals"],
    ["name = a AND", "at character 13: expected a field, NOT or (, found the end"],
    [
      "name = a AND name = b OR name = c",
      "at character 23: AND and OR stand side by side: put one of them into parentheses",
    ],
    ["(name = a", "at character 10: expected AND, OR or ), found the end"],
    ["name = a)", 'at character 9: expected AND, OR or the end, found ")"'],
    ['name = "a', 'at character 8: the text is not closed: end it with "'],
    ["= a", 'at character 1: expected a field, NOT or (, found "="'],
    ["measures. = 1", "at character 1: expected a field"],
    ["$where = 1", "at character 1: no such field"],
  ])("refuses %s where it is wrong", (filter, expected) => {
    expect(faultsOf(filter)).toEqual([expect.stringContaining(`filter: ${expected}`)]);
  });

  it("has bounds of its length, its comparisons and its depth", () => {
    const many = (count: number) => Array.from({ length: count }, () => "length=1").join(" OR ");
    const deep = (depth: number) => `${"(".repeat(depth)}length=1${")".repeat(depth)}`;
    expect(faultsOf(`name=${"x".repeat(maxFilterLength)}`)).toEqual([
      expect.stringContaining("more than 1000 characters"),
    ]);
    expect(faultsOf(many(maxRestrictions))).toEqual([]);
    expect(faultsOf(many(maxRestrictions + 1))).toEqual([expect.stringContaining("more than 32 comparisons")]);
    expect(faultsOf(deep(maxDepth))).toEqual([]);
    expect(faultsOf(deep(maxDepth + 1))).toEqual([expect.stringContaining("nested more than 8 deep")]);
  });
});

describe("what everything satisfies that a filter finds", () => {
  const unique = new ListQuery(boats, { bindings: { measures: { entries: "values", hasUniqueKeys: true } } });
  const length = (condition: object) => ({ path: "length", filter: { length: condition } });
  const boat = (value: string) => ({ path: "name", filter: name(value) });
  const owner = (value: string) => ({ path: "owners.name", filter: { "people.name": { $eq: value } } });
  const mast = (...values: object[]) => {
    const [first, ...others] = values;
    const asked = others.length === 0 ? first : { $and: values };
    return { path: "measures", filter: { values: { $elemMatch: { key: { $eq: "mast" }, ...asked } } } };
  };

  it.each<[filter: string, alternatives: object[][]]>([
    ["", []],
    ["name = a", [[boat("a")]]],
    ["NOT name = a", []],
    ["name = a AND NOT length = 1", [[boat("a")]]],
    ["name = a OR length > 1", [[boat("a"), length({ $gt: 1 })]]],
    ["name = a OR NOT length > 1", []],
    ["name = a AND (length > 1 OR length < 0)", [[boat("a")], [length({ $gt: 1 }), length({ $lt: 0 })]]],
    ["(name = a AND length > 1) OR name = b", [[boat("a"), boat("b")]]],
    ["(NOT name = a AND length > 1) OR name = b", [[length({ $gt: 1 }), boat("b")]]],
    ["length > 1 AND owners.name = ann AND owners.name = jo", [[length({ $gt: 1 })], [owner("ann")], [owner("jo")]]],
    ["measures.mast > 1 AND measures.mast < 9", [[mast({ value: { $gt: 1 } })], [mast({ value: { $lt: 9 } })]]],
    ["measures:mast", [[mast({})]]],
  ])("is one of each alternatives: %s", (filter, alternatives) => {
    expect(query.read({ filter }).necessary).toEqual(alternatives);
  });

  it("is one range of a field with one value", () => {
    const range = { $and: [{ length: { $gt: 1 } }, { length: { $lt: 9 } }] };
    expect(query.read({ filter: "length > 1 AND (length < 9 AND name = a)" }).necessary).toEqual([
      [{ path: "length", filter: range }],
      [boat("a")],
    ]);
    const both = [{ value: { $gt: 1 } }, { value: { $lt: 9 } }];
    expect(unique.read({ filter: "measures.mast > 1 AND measures.mast < 9" }).necessary).toEqual([[mast(...both)]]);
    expect(unique.read({ filter: "measures.mast > 1 AND measures.beam < 9" }).necessary).toHaveLength(2);
  });

  it("may be one value", () => {
    expect(query.read({ filter: "name = a AND length > 1" }).valueOf("name")).toBe("a");
    for (const filter of ["name != a", "name = a OR length > 1", "NOT name = a", "owners.name = a"])
      expect(query.read({ filter }).valueOf(filter.startsWith("owners") ? "owners.name" : "name")).toBeUndefined();
  });

  it.each<[filter: string, orderBy: string, range: object]>([
    ["length > 1", "name", {}],
    ["length > 1 AND name = a", "length desc", { length: { $gt: 1 } }],
    ["length > 1 OR name = a", "length", {}],
    ["created_at > 2026-03-02T09:00:00Z", "", { created_at: { $gt: new Date("2026-03-02T09:00:00Z") } }],
    ["measures.mast > 1", "measures.mast", { value: { $gt: 1 } }],
    ["measures.mast > 1", "measures.beam", {}],
  ])("is a part of the order where it is about its field: %s by %s", (filter, orderBy, range) => {
    expect(unique.read({ filter, orderBy }).rangeAfter("")).toEqual(range);
  });

  it("is no part of the order of a map that may have a key twice", () => {
    expect(query.read({ filter: "measures.mast > 1", orderBy: "measures.mast" }).rangeAfter("")).toEqual({});
  });

  it("is asked for in each range behind a cursor", () => {
    const selection = query.read({ filter: "length > 1", orderBy: "length" });
    const asked = { length: { $gt: 1 } };
    expect(selection.rangeAfter(selection.cursorAfter({ _id: "b", length: 5 }))).toEqual({
      $or: [{ $and: [asked, { length: { $gt: 5 } }] }, { $and: [asked, { length: { $eq: 5 }, _id: { $gt: "b" } }] }],
    });
  });
});

describe("a filter of items in memory", () => {
  const asked = new Date("2026-03-02T09:00:00Z");
  const items = [
    { _id: "a", name: "ann", length: 5, is_new: true, rig_number: 1, created_at: new Date(1), values: [] },
    { _id: "b", name: "é", length: 10, is_new: false, rig_number: 2, created_at: asked, sold_at: asked },
    { _id: "c", name: "z", created_at: asked, people: { name: ["jo", "al"] }, values: [{ key: "mast", value: 9 }] },
  ];

  it.each<[filter: string, ids: string]>([
    ["", "cba"],
    ["name = ann", "a"],
    ["name != ann", "cb"],
    ["name > z", "b"],
    ["length < 10", "a"],
    ["length >= 5", "ba"],
    ["length != 5", "cb"],
    ["NOT length < 10", "cb"],
    ["is_new = true OR rig = ketch", "ba"],
    ["rig != ketch", "ca"],
    ["created_at >= 2026-03-02T09:00:00Z AND length = 10", "b"],
    ["sold_at:*", "b"],
    ["sold_at != 2026-03-03T09:00:00Z", "b"],
    ["owners.name:al", "c"],
    ["measures.mast >= 9", "c"],
    ['measures.mast != "9"', "c"],
    ['measures.mast < "9"', ""],
    ["measures:mast", "c"],
    ["measures.mast = true", ""],
  ])("finds by %s what the database would", (filter, ids) => {
    const found = query.read({ filter }).among(items, "");
    expect(found.map(({ _id }) => _id).join("")).toBe(ids);
  });

  it("goes on behind a cursor, in any order", () => {
    for (const orderBy of ["", "name", "name desc", "created_at asc"]) {
      const selection = query.read({ orderBy });
      const whole = selection.among(items, "");
      const first = selection.page(whole, { limit: 1 });
      expect(selection.among(items, first.nextCursor)).toEqual(whole.slice(1));
      expect(selection.page(whole, { limit: 3 }).nextCursor).toBe("");
    }
  });
});

describe("a field that documents tell more apart than callers do", () => {
  const sloops = (value: unknown) => (value === "sloop" ? [1, 3] : [2]);
  const apart = new ListQuery(boats, { bindings: { rig: { path: "rig_number", oneOf: sloops } } });

  it.each<[filter: string, query: object, ids: string]>([
    ["rig = sloop", { rig_number: { $in: [1, 3] } }, "ca"],
    ["rig != sloop", { rig_number: { $nin: [1, 3] } }, "b"],
  ])("is any of its values: %s", (filter, expected, ids) => {
    const items = ["a", "b", "c"].map((_id, index) => ({ _id, rig_number: index + 1, created_at: new Date(index) }));
    const selection = apart.read({ filter });
    expect(selection.filter).toEqual(expected);
    expect(selection.among(items, "").map(({ _id }) => _id)).toEqual([...ids]);
  });
});

describe("an order", () => {
  it.each([
    ["", { created_at: -1, _id: -1 }],
    ["name", { name: 1, _id: 1 }],
    ["name asc", { name: 1, _id: 1 }],
    [" length  desc ", { length: -1, _id: -1 }],
  ])("sorts by %j", (orderBy, sort) => {
    expect(query.read({ filter: "", orderBy }).sort).toEqual(sort);
  });

  it("needs no id behind what is unique", () => {
    const unique = new ListQuery(boats, { unique: ["name"] });
    expect(unique.read({ filter: "", orderBy: "name desc" }).sort).toEqual({ name: -1 });
  });

  it("knows the key of a map", () => {
    const { order } = query.read({ filter: "", orderBy: 'measures."a b" desc' });
    expect(order).toMatchObject({ key: "a b", isDescending: true, field: { path: "measures" } });
  });

  it.each([
    ["rig", "at character 1: no such field: use one of name, length, created_at, measures.<key>"],
    ["name down", "at character 6: expected asc, desc or the end, found a word"],
    ["name, length", 'at character 5: expected asc, desc or the end, found ","'],
    ["name desc, length", 'at character 10: expected asc, desc or the end, found ","'],
  ])("refuses %j", (orderBy, expected) => {
    expect(faultsOf("", orderBy)).toEqual([expect.stringContaining(`order_by: ${expected}`)]);
  });

  it("is refused together with the filter", () => {
    expect(faultsOf("x", "y")).toHaveLength(2);
  });
});

describe("a cursor", () => {
  const createdAt = new Date("2026-03-02T09:00:00Z");
  const document = { _id: "b", name: "sloop", created_at: createdAt };
  const selectionOf = (orderBy: string) => query.read({ filter: "", orderBy });

  it("continues behind the document", () => {
    const selection = selectionOf("name desc");
    const name = { $lt: "sloop" };
    const alternatives = [{ name }, { name: { $eq: "sloop" }, _id: { $lt: "b" } }];
    expect(selection.after(selection.cursorAfter(document), { organisation_id: "o" })).toEqual({
      organisation_id: "o",
      $and: [{ name: { $lte: "sloop" }, $or: alternatives }],
    });
  });

  it("is good for its own order alone", () => {
    const cursor = selectionOf("name").cursorAfter(document);
    for (const other of ["", "name desc", "created_at"]) {
      expect(() => selectionOf(other).after(cursor)).toThrow(InvalidCursorError);
    }
  });

  it("has the types of its order", () => {
    const cursor = selectionOf("created_at").cursorAfter({ ...document, created_at: 5 });
    expect(() => selectionOf("created_at").after(cursor)).toThrow(InvalidCursorError);
  });
});

describe("a storage", () => {
  it("binds declared fields alone", () => {
    expect(() => new ListQuery(boats, { bindings: { nmae: "n" } })).toThrow("declares no field nmae");
  });
});

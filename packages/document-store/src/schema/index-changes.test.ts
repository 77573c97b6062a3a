import { describe, expect, it } from "vitest";
import { declaredName } from "../index-name.ts";
import { fingerprintOf, indexChanges, type StoredIndex } from "./index-changes.ts";
import type { IndexPlan, PlannedIndex } from "./index-plan.ts";

const primary: StoredIndex = { name: "_id_", key: { _id: 1 } };
const names = (o: { wanted: PlannedIndex[]; stored: StoredIndex[]; retired?: string[] }) => {
  const { wanted: indexes, stored, retired = [] } = o;
  const { required, whileServing, retention, replaced } = indexChanges({ indexes, retired }, [primary, ...stored]);
  const marked = (name = "") => name.replace(/~[0-9a-f]{8}$/, "~");
  return {
    build: required.map(({ name }) => marked(name)),
    later: whileServing.map(({ name }) => marked(name)),
    retention: retention.map(({ name, expireAfterSeconds }) => `${name} ${expireAfterSeconds}`),
    drop: replaced,
  };
};
const nothing = { build: [], later: [], retention: [], drop: [] };
const a: PlannedIndex = { name: "a", key: { a: 1 } };

describe("how indexes become those of a plan", () => {
  it.each<[string, Parameters<typeof names>[0], Partial<ReturnType<typeof names>>]>([
    ["one is missing", { wanted: [a], stored: [] }, { build: ["a"] }],
    ["one without a name is missing", { wanted: [{ key: { a: 1, b: -1 } }], stored: [] }, { build: ["a_1_b_-1"] }],
    ["one may be built later", { wanted: [{ ...a, isBuiltWhileServing: true }], stored: [] }, { later: ["a"] }],
    ["it is there", { wanted: [a], stored: [{ name: "a", key: { a: 1 } }] }, {}],
    ["it is there, with its mark", { wanted: [a], stored: [{ name: "a~01234567", key: { a: 1 } }] }, {}],
    [
      "it is being built",
      { wanted: [a], stored: [{ name: "a", key: { a: 1 }, isBeingBuilt: true }] },
      { build: ["a"] },
    ],
    [
      "it is being built, with its mark",
      { wanted: [a], stored: [{ name: "a~01234567", key: { a: 1 }, isBeingBuilt: true }] },
      { build: ["a~"] },
    ],
    [
      "another one is being built under its name",
      { wanted: [a], stored: [{ name: "a", key: { b: 1 }, isBeingBuilt: true }] },
      { build: ["a~"] },
    ],
    [
      "one of others has its fields and leaves documents out",
      { wanted: [a], stored: [{ name: "by_hand", key: { a: 1 }, sparse: true }] },
      { build: ["a"] },
    ],
    ["its fields differ", { wanted: [a], stored: [{ name: "a", key: { b: 1 } }] }, { build: ["a~"], drop: ["a"] }],
    [
      "the order of its fields differs",
      { wanted: [{ name: "x", key: { a: 1, b: 1 } }], stored: [{ name: "x", key: { b: 1, a: 1 } }] },
      { build: ["x~"], drop: ["x"] },
    ],
    [
      "it becomes unique",
      { wanted: [{ ...a, unique: true }], stored: [{ name: "a", key: { a: 1 } }] },
      { build: ["a~"], drop: ["a"] },
    ],
    [
      "it becomes partial",
      { wanted: [{ ...a, partialFilterExpression: { b: true } }], stored: [{ name: "a", key: { a: 1 } }] },
      { build: ["a~"], drop: ["a"] },
    ],
    [
      "its retention changes",
      { wanted: [{ ...a, expireAfterSeconds: 60 }], stored: [{ name: "a", key: { a: 1 }, expireAfterSeconds: 5 }] },
      { retention: ["a 60"] },
    ],
    [
      "its retention ends",
      { wanted: [a], stored: [{ name: "a", key: { a: 1 }, expireAfterSeconds: 5 }] },
      { retention: ["a 2147483647"] },
    ],
    [
      "its retention has ended",
      { wanted: [a], stored: [{ name: "a", key: { a: 1 }, expireAfterSeconds: 2_147_483_647 }] },
      {},
    ],
    ["one is retired", { wanted: [], retired: ["a"], stored: [{ name: "a", key: { a: 1 } }] }, { drop: ["a"] }],
    [
      "one is retired with its mark",
      { wanted: [], retired: ["a"], stored: [{ name: "a~01234567", key: { a: 1 } }] },
      { drop: ["a~01234567"] },
    ],
    [
      "one is there that no plan names",
      {
        wanted: [a],
        stored: [
          { name: "a", key: { a: 1 } },
          { name: "by_hand", key: { c: 1 } },
        ],
      },
      {},
    ],
  ])("where %s", (_where, given, changes) => {
    expect(names(given)).toEqual({ ...nothing, ...changes });
  });
});

describe("the declared name of an index", () => {
  it.each([
    ["a", "a"],
    ["a~01234567", "a"],
  ])("of %s is %s", (name, declared) => expect(declaredName(name)).toBe(declared));
});

describe("the fingerprint of plans", () => {
  const plan: IndexPlan = { collection: "things", owner: "installation", indexes: [a] };
  it("is the same for the same indexes, in whatever order they are declared", () => {
    const other: IndexPlan = { ...plan, collection: "others" };
    expect(fingerprintOf([plan, other])).toBe(fingerprintOf([other, { ...plan, owner: "organisation" }]));
  });

  it.each<[string, Partial<IndexPlan>]>([
    ["another index", { indexes: [{ ...a, unique: true }] }],
    ["another retention", { indexes: [{ ...a, expireAfterSeconds: 1 }] }],
    ["one that is retired", { retired: ["b"] }],
  ])("differs with %s", (_what, change) => {
    expect(fingerprintOf([{ ...plan, ...change }])).not.toBe(fingerprintOf([plan]));
  });
});

import { Collection } from "mongodb";
import { describe, expect, it } from "vitest";
import { collectionMethods } from "./guarded-database.ts";

describe("the methods of a collection", () => {
  it("are all known: whether each asks the breaker has been decided", () => {
    const described = Object.entries(Object.getOwnPropertyDescriptors(Collection.prototype));
    const methods = described.filter(([name, { value }]) => typeof value === "function" && name !== "constructor");
    expect(Object.keys(collectionMethods).sort()).toEqual(methods.map(([name]) => name).sort());
  });
});

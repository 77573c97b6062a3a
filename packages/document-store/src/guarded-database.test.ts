import { describe, expect, it } from "@jest/globals";
import { Collection } from "mongodb";
import { collectionMethods } from "./guarded-database.ts";

describe("the methods of a collection", () => {
  it("are all known: whether each asks the breaker has been decided", () => {
    const described = Object.entries(Object.getOwnPropertyDescriptors(Collection.prototype));
    const methods = described.filter(([name, { value }]) => typeof value === "function" && name !== "constructor");
    expect(Object.keys(collectionMethods).sort()).toEqual(methods.map(([name]) => name).sort());
  });
});

import { describe, expect, it } from "@jest/globals";
import { areSameColumns, type Column, datasetIdIn, repeatedNames } from "./dataset.ts";

const id = "3fa85f64-5717-4562-b3fc-2c963f66afa6";

describe("the id of a dataset", () => {
  it.each([
    ["as it is", id],
    ["in upper case", id.toUpperCase()],
    ["without hyphens", id.replaceAll("-", "")],
    ["in braces", `{${id}}`],
    ["as a URN", `urn:uuid:${id}`],
  ])("is read %s", (_, text) => {
    expect(datasetIdIn(text)).toBe(id);
  });

  it.each(["", "no id", `${id}0`, id.slice(1), `x${id}`])("that is none, %j, stays what it is", (text) => {
    expect(datasetIdIn(text)).toBe(text);
  });
});

describe("names in a list", () => {
  it("may stand in it once; each that stands there again is named", () => {
    expect(repeatedNames("columns", ["a", "b", "A"])).toEqual([]);
    const again = repeatedNames("columns", ["a", "b", "a", "b", "a"]);
    expect(again.map(({ field, reason }) => [field, reason])).toEqual(
      [2, 3, 4].map((index) => [`columns[${index}].name`, "NAME_REPEATED"]),
    );
    expect(again.map(({ description }) => description)).toEqual(
      [0, 1, 0].map((first) => `the name stands at ${first} already`),
    );
  });
});

describe("columns", () => {
  const some: Column[] = [
    { name: "a", type: "integer" },
    { name: "b", type: "string" },
  ];
  it.each([
    ["the same", some, true],
    ["fewer", some.slice(1), false],
    ["in another order", some.toReversed(), false],
    ["of another type", [{ name: "a", type: "number" as const }, ...some.slice(1)], false],
    ["with another name", [{ name: "A", type: "integer" as const }, ...some.slice(1)], false],
  ])("that are %s", (_, others, areSame) => {
    expect([areSameColumns(some, others), areSameColumns(others, some)]).toEqual([areSame, areSame]);
  });
});

import { describe, expect, it } from "vitest";
import { areSameColumns, type Column } from "./dataset.ts";

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

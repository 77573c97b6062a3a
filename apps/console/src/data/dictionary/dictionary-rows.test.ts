import { describe, expect, it } from "vitest";
import { dictionaryRows, foundRows } from "./dictionary-rows.ts";

const rows = dictionaryRows(
  [
    { name: "stops", type: "integer" },
    { name: "late", type: "boolean" },
  ],
  [
    { name: "depot", description: "Where a route begins" },
    { name: "stops", description: "" },
  ],
);

describe("the rows of a dictionary", () => {
  it("are its entries with the types of their columns, then columns without an entry", () => {
    expect(rows).toEqual([
      { name: "depot", type: undefined, description: "Where a route begins", hasEntry: true },
      { name: "stops", type: "integer", description: "", hasEntry: true },
      { name: "late", type: "boolean", description: "", hasEntry: false },
    ]);
  });

  it.each([
    ["", 3],
    [" ROUTE ", 1],
    ["st", 1],
    ["nothing", 0],
  ])("are found by a part of their name or text: %j", (find, count) => {
    expect(foundRows(rows, find)).toHaveLength(count);
  });
});

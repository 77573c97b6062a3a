import { describe, expect, it } from "vitest";
import { writtenRows, writtenTables } from "./dataset-sources.ts";
import { StepFailedError } from "./step-outcome.ts";

const table = { name: "orders", dataset_id: "d" };

describe("the tables that a step writes", () => {
  it.each([
    ["with a version", { ...table, version_id: "v" }, "v"],
    ["without one", table, undefined],
    ["whose template made none", { ...table, version_id: null }, undefined],
    ["whose template made an empty one", { ...table, version_id: "" }, undefined],
  ])("are views of a query: %s", (_, written, versionId) => {
    expect(writtenTables([written])).toMatchObject([{ name: "orders", datasetId: "d" }]);
    expect(writtenTables([written])[0]?.versionId).toBe(versionId);
  });

  it.each([
    ["nothing", undefined, "tables: must be a list"],
    ["a text", "orders", "tables: must be a list"],
    ["an item that is no object", ["orders"], "tables[0]: must be an object"],
    ["a name that is no text", [table, { ...table, name: 7 }], "tables[1]: "],
    ["a misspelt member", [{ ...table, versionid: "v" }], "tables[0]: "],
    ["too many", Array.from({ length: 21 }, () => table), "tables: there are more than 20"],
  ])("fail the step with their place for %s", (_, written, message) => {
    expect(() => writtenTables(written)).toThrow(StepFailedError);
    expect(() => writtenTables(written)).toThrow(message);
  });
});

describe("the rows that a step writes", () => {
  it.each([
    ["a list", [{ a: 1 }]],
    ["a text that is one", '[{"a":1}]'],
    ["such a text in a code fence", '```json\n[{"a":1}]\n```'],
  ])("are %s", (_, written) => {
    expect(writtenRows(written)).toEqual([{ text: '{"a":1}' }]);
  });

  it.each([
    ["nothing", undefined, "rows: must be a list"],
    ["a text that is no JSON", "Here you are: []", "rows: the text is no JSON list"],
    ["no rows", [], "rows: there are none"],
    ["an item that is no object", [{ a: 1 }, 2], "rows[1]: must be an object"],
    ["too many", Array.from({ length: 10_001 }, () => ({})), "rows: there are more than 10000"],
  ])("fail the step for %s", (_, written, message) => {
    expect(() => writtenRows(written)).toThrow(message);
  });
});

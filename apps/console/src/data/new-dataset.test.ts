import { describe, expect, it } from "vitest";
import { readColumns } from "./new-dataset.ts";

describe("columns that were typed", () => {
  it.each([
    ["", []],
    ["label", [{ name: "label" }]],
    [
      "  weight_kg : number \n\nlate: boolean\n",
      [
        { name: "weight_kg", type: "number" },
        { name: "late", type: "boolean" },
      ],
    ],
    ["ratio a:b", [{ name: "ratio a:b" }]],
    ["time: of day: date_time", [{ name: "time: of day", type: "date_time" }]],
    [": number", [{ name: ": number" }]],
    ["kind: constructor", [{ name: "kind: constructor" }]],
  ])("are one a line, each with its type: %j", (text, columns) => {
    expect(readColumns(text)).toEqual(columns);
  });
});

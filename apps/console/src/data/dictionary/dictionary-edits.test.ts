import { describe, expect, it } from "vitest";
import { noEdits, outcomesOf, problemsByRow, wantedEntries } from "./dictionary-edits.ts";

const entries = [
  { name: "stops", description: "Stops on the route" },
  { name: "late", description: "" },
];

describe("edits of a dictionary", () => {
  it.each([
    ["nothing", noEdits, []],
    ["a text that is as it was", { ...noEdits, texts: new Map([["stops", "Stops on the route"]]) }, []],
    ["no text for a column without an entry", { ...noEdits, texts: new Map([["weight", ""]]) }, []],
    ["a cleared text", { ...noEdits, texts: new Map([["stops", ""]]) }, [["name stops", "stops", ""]]],
    [
      "a text for a column without an entry",
      { ...noEdits, texts: new Map([["weight", "In kilograms"]]) },
      [["name weight", "weight", "In kilograms"]],
    ],
    [
      "a new entry, and not one that is empty",
      {
        ...noEdits,
        added: [
          { id: "1", name: "", description: "" },
          { id: "2", name: "depot", description: "Where a route begins" },
        ],
      },
      [["added 2", "depot", "Where a route begins"]],
    ],
    [
      "a text without a name, which the platform refuses at its row",
      { ...noEdits, added: [{ id: "1", name: "", description: "x" }] },
      [["added 1", "", "x"]],
    ],
  ])("write what differs: %s", (_what, edits, expected) => {
    const wanted = wantedEntries(entries, edits).map(({ row, entry }) => [row, entry.name, entry.description]);
    expect(wanted).toEqual(expected);
  });
});

describe("a refusal of a write", () => {
  const wanted = wantedEntries(entries, {
    texts: new Map([["late", "After the hour"]]),
    added: [{ id: "1", name: "late", description: "b" }],
  });

  it("is said at the row that it names", () => {
    const problems = [
      { loc: ["body", 1, "name"], msg: "is there twice", type: "name_repeated" },
      { loc: ["body", 1], msg: "is bad", type: "bad" },
      { loc: ["query", "override"], msg: "is odd", type: "odd" },
      { loc: ["body", 7, "name"], msg: "is nowhere", type: "odd" },
    ];
    expect([...problemsByRow(problems, wanted)]).toEqual([["added 1", "name: is there twice; is bad"]]);
  });
});

describe("a dry run", () => {
  it("says of each entry what would become of it", () => {
    const wanted = wantedEntries(entries, {
      texts: new Map([
        ["stops", "Stops, the depot not counted"],
        ["late", "After the hour"],
      ]),
      added: [{ id: "1", name: "depot", description: "" }],
    });
    const answered = [
      { name: "stops", description: "Stops on the route" },
      { name: "late", description: "After the hour" },
      { name: "depot", description: "" },
    ];
    expect(outcomesOf(entries, wanted, answered)).toEqual([
      { name: "stops", outcome: "kept", before: "Stops on the route", after: "Stops, the depot not counted" },
      { name: "late", outcome: "changed", before: "", after: "After the hour" },
      { name: "depot", outcome: "new", before: "", after: "" },
    ]);
  });
});

import { describe, expect, it } from "vitest";
import { type LineageNode, lineageSides, nodeText, totalsText } from "./lineage.ts";

const node = (id: string, more: Partial<LineageNode> = {}): LineageNode => ({
  ...{ id, kind: "run", name: null, number: null, state: "ended", parent_id: null, distance: 1 },
  ...more,
});

describe("the sides of a lineage", () => {
  const nodes = ["r", "v", "u", "m", "d", "e"].map((id) => node(id));
  const edges = [
    { source_id: "u", derived_id: "v" },
    { source_id: "v", derived_id: "r" },
    { source_id: "r", derived_id: "m" },
    { source_id: "m", derived_id: "d" },
    { source_id: "v", derived_id: "e" },
  ];
  it.each([
    ["r", ["v", "u"], ["m", "d"]],
    ["v", ["u"], ["r", "m", "d", "e"]],
    ["d", ["r", "v", "u", "m"], []],
    ["x", [], []],
  ])("of %s", (id, sources, derived) => {
    const sides = lineageSides({ nodes, edges }, id);
    expect(sides.sources.map((each) => each.id)).toEqual(sources);
    expect(sides.derived.map((each) => each.id)).toEqual(derived);
  });
});

describe("a thing of the lineage", () => {
  it.each<[Partial<LineageNode>, string]>([
    [{ kind: "run", name: "first try" }, "First try"],
    [{ kind: "model_version", name: "Digits", number: 3 }, "Digits, version 3"],
    [{ kind: "dataset_version", number: 2 }, "Version 2"],
    [{ kind: "dataset_embedding" }, "Embedding"],
    [{ kind: "run", state: "deleted" }, "Run"],
  ])("%j is called %s", (more, text) => {
    expect(nodeText(node("n", more))).toBe(text);
  });
});

it("numbers of things are a sentence", () => {
  const totals = [
    { kind: "run" as const, count: 2 },
    { kind: "deployment" as const, count: 1 },
  ];
  expect([totalsText(totals), totalsText([])]).toEqual(["2 runs, 1 deployment", ""]);
});

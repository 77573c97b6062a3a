import { type LineageKind, refsTo, sourceKinds, type Thing } from "@aiplatform/service-kit/lineage";
import { describe, expect, it } from "vitest";
import { followLineage } from "./follow-lineage.ts";
import { edgesAmong, type Hop, type Hops, type Lineage, type LineageBounds } from "./lineage.ts";

const kindOf: Readonly<Record<string, LineageKind>> = {
  v: "dataset_version",
  e: "dataset_embedding",
  r: "run",
  m: "model_version",
  d: "deployment",
};
const kindOfId = ([letter = ""]: string): LineageKind => kindOf[letter] ?? "run";

function thing(id: string, sources: readonly string[]): Thing {
  const kind = kindOfId(id);
  return { kind, id, state: "ready", sources: refsTo(sourceKinds[kind], sources) };
}

/** Two files become versions, rows of which become a third; `m2` was made of a run that is deleted. */
const things: readonly Thing[] = [
  thing("v1", []),
  thing("v2", []),
  thing("v3", ["v1", "v2"]),
  thing("e1", ["v1"]),
  thing("r1", ["v1", "v2"]),
  thing("r2", ["v3"]),
  thing("m1", ["r1"]),
  thing("m2", ["r9"]),
  thing("d1", ["m1", "m2"]),
];

const hop =
  (kind: LineageKind): Hop =>
  async ({ ids, sourceIds, knownIds, limit }) => {
    const ofKind = things.filter((each) => each.kind === kind);
    const derived = ofKind.filter(
      ({ id, sources }) => !knownIds.includes(id) && sources.some((source) => sourceIds.includes(source.id)),
    );
    const named = ofKind.filter(({ id }) => ids.includes(id));
    return { things: [...named, ...derived.slice(0, limit)], total: derived.length };
  };
const hops: Hops = {
  dataset_version: hop("dataset_version"),
  dataset_embedding: hop("dataset_embedding"),
  run: hop("run"),
  model_version: hop("model_version"),
  deployment: hop("deployment"),
};

const unbounded: LineageBounds = { directions: ["upstream", "downstream"], depth: 20, limit: 100, mayRead: () => true };

async function lineageOf(id: string, bounds: Partial<LineageBounds>): Promise<Lineage> {
  const start = things.find((each) => each.id === id);
  if (!start) throw new Error(`${id} is no thing of the table`);
  return followLineage(hops, "organisation", [{ thing: start, distance: 0 }], { ...unbounded, ...bounds });
}

const up: Partial<LineageBounds> = { directions: ["upstream"] };
const down: Partial<LineageBounds> = { directions: ["downstream"] };
const without = (...kinds: LineageKind[]) => ({ mayRead: (kind: LineageKind) => !kinds.includes(kind) });

describe("lineage", () => {
  const cases: readonly [what: string, start: string, Partial<LineageBounds>, found: string, leftOut: number][] = [
    ["upstream of what nothing was before", "v1", up, "v1:0", 0],
    ["upstream of a version of two versions", "v3", up, "v3:0 v1:1 v2:1", 0],
    ["upstream of a deployment, with a deleted run", "d1", up, "d1:0 m1:1 m2:1 r1:2 r9:2 v1:3 v2:3", 0],
    ["downstream of a version", "v1", down, "v1:0 v3:1 e1:1 r1:1 r2:2 m1:2 d1:3", 0],
    ["downstream of a deployment", "d1", down, "d1:0", 0],
    ["both ways, and no other way", "r1", {}, "r1:0 v1:1 v2:1 m1:1 d1:2", 0],
    ["one step", "v1", { ...down, depth: 1 }, "v1:0 v3:1 e1:1 r1:1", 2],
    ["one step up", "d1", { ...up, depth: 1 }, "d1:0 m1:1 m2:1", 2],
    ["two things", "v1", { ...down, limit: 2 }, "v1:0 v3:1", 3],
    ["one thing", "d1", { ...up, limit: 1 }, "d1:0", 2],
  ];
  it.each(cases)("%s", async (_, start, bounds, expected, leftOut) => {
    const lineage = await lineageOf(start, bounds);
    expect(lineage.found.map(({ thing: { id }, distance }) => `${id}:${distance}`).join(" ")).toBe(expected);
    expect(lineage.leftOut).toBe(leftOut);
    expect(lineage.hidden.size).toBe(0);
  });

  const hiding: readonly [what: string, start: string, Partial<LineageBounds>, found: string, hidden: string][] = [
    ["runs downstream", "v1", { ...down, ...without("run") }, "v1 v3 e1", "run:2"],
    ["runs upstream", "d1", { ...up, ...without("run") }, "d1 m1 m2", "run:2"],
    [
      "models and embeddings",
      "v1",
      { ...down, ...without("model_version", "dataset_embedding") },
      "v1 v3 r1 r2",
      "dataset_embedding:1 model_version:1",
    ],
    ["versions upstream of a run", "r1", { ...up, ...without("dataset_version") }, "r1", "dataset_version:2"],
  ];
  it.each(hiding)("hides and does not follow %s", async (_, start, bounds, expected, hidden) => {
    const lineage = await lineageOf(start, bounds);
    expect(lineage.found.map(({ thing: { id } }) => id).join(" ")).toBe(expected);
    expect([...lineage.hidden].map(([kind, count]) => `${kind}:${count}`).join(" ")).toBe(hidden);
  });

  it("goes on from the distance that the things at the start have", async () => {
    const starts = ["m1", "m2"].map((id) => ({ thing: thing(id, []), distance: 1 }));
    const { found } = await followLineage(hops, "organisation", starts, { ...unbounded, ...down });
    expect(found.map(({ thing: { id }, distance }) => `${id}:${distance}`).join(" ")).toBe("m1:1 m2:1 d1:2");
  });

  it("says of a source that is gone that it is deleted", async () => {
    const { found } = await lineageOf("m2", up);
    expect(found.map(({ thing: { id, state } }) => [id, state])).toEqual([
      ["m2", "ready"],
      ["r9", "deleted"],
    ]);
  });

  it("has an edge for each pair of which one was made of the other", async () => {
    const { found } = await lineageOf("r1", {});
    const edges = edgesAmong(found).map(({ source, derived }) => `${source.id}>${derived.id}`);
    expect(edges.sort()).toEqual(["m1>d1", "r1>m1", "v1>r1", "v2>r1"]);
  });
});

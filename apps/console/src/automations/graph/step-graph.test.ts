import { describe, expect, it } from "vitest";
import { type GraphEdge, graphSize, placeGraph } from "./step-graph.ts";

const { stepWidth, stepHeight, gapX, gapY, laneWidth } = graphSize;
const row = stepHeight + gapY;

/** Edges written as `a>b` or `a>b:label`. */
function edgesOf(...texts: string[]): GraphEdge[] {
  return texts.map((text) => {
    const [source = "", target = "", label = "always"] = text.split(/[>:]/);
    return { id: text, source, target, label };
  });
}

function depthsOf(graph: ReturnType<typeof placeGraph>): Record<string, number> {
  return Object.fromEntries([...graph.steps].map(([id, { y }]) => [id, y / row]));
}

describe("the graph of steps", () => {
  it.each([
    ["nothing", [], [], {}],
    ["a sequence", ["a", "b", "c"], edgesOf("a>b", "b>c"), { a: 0, b: 1, c: 2 }],
    ["a branch that joins", ["a", "b", "c", "d"], edgesOf("a>b", "a>c", "b>d", "c>d"), { a: 0, b: 1, c: 1, d: 2 }],
    ["a way around", ["a", "b", "c"], edgesOf("a>b", "b>c", "a>c"), { a: 0, b: 1, c: 2 }],
    ["steps in another order", ["c", "b", "a"], edgesOf("a>b", "b>c"), { a: 0, b: 1, c: 2 }],
    ["a circle", ["a", "b"], edgesOf("a>b", "b>a"), { a: 0, b: 1 }],
    ["a step that leads to itself", ["a"], edgesOf("a>a"), { a: 0 }],
    ["a step that does not exist", ["a"], edgesOf("a>x", "x>a"), { a: 0 }],
  ])("has each step below all that lead to it: %s", (_what, steps, edges, depths) => {
    expect(depthsOf(placeGraph(steps, edges))).toEqual(depths);
  });

  it("has the size of its widest layer", () => {
    const { width, height } = placeGraph(["a", "b", "c"], edgesOf("a>b", "a>c"));
    expect([width, height]).toEqual([2 * stepWidth + gapX, 2 * stepHeight + gapY]);
  });

  it("leads an edge around the steps that it passes", () => {
    const { width, edges, steps } = placeGraph(["a", "b", "c"], edgesOf("a>b", "b>c", "a>c"));
    expect(width).toBe(stepWidth + gapX + laneWidth);
    const around = edges.find(({ ids }) => ids.includes("a>c"));
    const right = (steps.get("b")?.x ?? 0) + stepWidth;
    const lane = Number(/C[\d.]+ [\d.]+ ([\d.]+)/.exec(around?.path ?? "")?.[1]);
    expect(lane < (steps.get("b")?.x ?? 0) || lane > right).toBe(true);
    expect(around?.tip).toEqual({ x: width / 2, y: 2 * row });
  });

  it("draws edges between the same steps once, with all their labels", () => {
    const { edges } = placeGraph(["a", "b"], edgesOf("a>b:yes", "a>b:no"));
    expect(edges).toEqual([
      {
        ids: ["a>b:yes", "a>b:no"],
        label: "yes, no",
        path: `M105 58C105 81 105 81 105 104`,
        tip: { x: 105, y: 104 },
        labelAt: { x: 105, y: 81 },
      },
    ]);
  });

  it("lets branches that could stand side by side not cross", () => {
    const { steps } = placeGraph(["a", "b", "c", "e", "d"], edgesOf("a>b", "a>c", "b>d", "c>e"));
    const isLeft = (one: string, other: string) => (steps.get(one)?.x ?? 0) < (steps.get(other)?.x ?? 0);
    expect(isLeft("b", "c")).toBe(isLeft("d", "e"));
  });

  it("places two hundred steps", () => {
    const ids = Array.from({ length: 200 }, (_, index) => String(index));
    const chain = ids.slice(1).map((id, index) => `${index}>${id}`);
    const { steps } = placeGraph(ids, edgesOf(...chain, ...ids.slice(2).map((id) => `0>${id}:failed`)));
    expect(steps.get("199")?.y).toBe(199 * row);
  });
});

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Edge, graphProblems } from "./transition-graph.ts";

/** `a -ok> b` as an edge. */
function edge(text: string): Edge {
  const [source = "", label = "", target = ""] = text.split(/ -|> /);
  return { source, label, target };
}

const problemsOf = (keys: string, edges: readonly string[]) =>
  graphProblems(
    keys.split(" ").map((key) => ({ key })),
    edges.map(edge),
  ).map(({ field, reason }) => `${field} ${reason}`);

describe("steps and transitions", () => {
  it.each([
    ["one step", "a", []],
    ["a chain", "a b c", ["a -ok> b", "b -ok> c"]],
    ["branches that meet", "a b c d", ["a -yes> b", "a -no> c", "b -ok> d", "c -ok> d"]],
    ["one label at several steps", "a b c", ["a -ok> b", "b -ok> c"]],
    ["two labels to one step", "a b", ["a -yes> b", "a -no> b"]],
  ])("may be %s", (_, keys, edges) => {
    expect(problemsOf(keys, edges)).toEqual([]);
  });

  it.each([
    ["a key twice", "a b a", ["a -ok> b"], ["steps[2].key DUPLICATE_KEY"]],
    ["from nowhere", "a", ["x -ok> a"], ["step_transitions[0].source UNKNOWN_STEP"]],
    ["to nowhere", "a", ["a -ok> x"], ["step_transitions[0].target UNKNOWN_STEP"]],
    [
      "from nowhere to nowhere",
      "a",
      ["x -ok> x"],
      ["step_transitions[0].source UNKNOWN_STEP", "step_transitions[0].target UNKNOWN_STEP"],
    ],
    ["to its own step", "a", ["a -ok> a"], ["step_transitions[0].target SELF_LOOP"]],
    ["a label twice", "a b c", ["a -ok> b", "a -ok> c"], ["step_transitions[1].label DUPLICATE_LABEL"]],
    ["an orphan", "a b", [], ["steps[1].key UNREACHABLE_STEP"]],
    ["a step that leads in only", "a b", ["b -ok> a"], ["steps[1].key UNREACHABLE_STEP"]],
    ["a circle of two", "a b", ["a -ok> b", "b -back> a"], ["step_transitions[1].target CYCLE"]],
    ["a circle of three", "a b c", ["a -x> b", "b -x> c", "c -x> a"], ["step_transitions[2].target CYCLE"]],
    [
      "a circle that cannot be reached",
      "a b c",
      ["b -x> c", "c -x> b"],
      ["steps[1].key UNREACHABLE_STEP", "steps[2].key UNREACHABLE_STEP", "step_transitions[1].target CYCLE"],
    ],
    [
      "everything at once",
      "a a b",
      ["a -ok> a", "a -ok> x"],
      [
        "steps[1].key DUPLICATE_KEY",
        "step_transitions[0].target SELF_LOOP",
        "step_transitions[1].target UNKNOWN_STEP",
        "step_transitions[1].label DUPLICATE_LABEL",
        "steps[2].key UNREACHABLE_STEP",
      ],
    ],
  ])("are refused for %s, at its place", (_, keys, edges, problems) => {
    expect(problemsOf(keys, edges)).toEqual(problems);
  });
});

const graphs = fc.integer({ min: 1, max: 9 }).chain((size) => {
  const key = fc.integer({ min: 0, max: size - 1 }).map(String);
  const nodes = Array.from({ length: size }, (_, index) => ({ key: String(index) }));
  const edges = fc.array(fc.record({ source: key, target: key, label: fc.uuid() }), { maxLength: 25 });
  return edges.map((all) => ({ nodes, edges: all }));
});

/** Takes away what nothing leads to, again and again: what is left lies on cycles or behind them. */
function hasCycle(keys: readonly string[], edges: readonly Edge[]): boolean {
  const left = keys.filter((key) => edges.some(({ target }) => target === key));
  if (left.length === keys.length) return left.length > 0;
  return hasCycle(
    left,
    edges.filter(({ source }) => left.includes(source)),
  );
}

const refusedFor = (graph: { nodes: { key: string }[]; edges: Edge[] }, ...reasons: string[]) =>
  graphProblems(graph.nodes, graph.edges)
    .filter(({ reason = "" }) => reasons.includes(reason))
    .map(({ field }) => Number(/\d+/.exec(field)?.[0]));

describe("any graph", () => {
  it("without the transitions that are refused for it has no cycle, and none is refused if there is none", () => {
    fc.assert(
      fc.property(graphs, ({ nodes, edges }) => {
        const refused = new Set(refusedFor({ nodes, edges }, "CYCLE", "SELF_LOOP"));
        const keys = nodes.map(({ key }) => key);
        const rest = edges.filter((_, index) => !refused.has(index));
        expect(hasCycle(keys, rest)).toBe(false);
        expect(refused.size > 0).toBe(hasCycle(keys, edges));
      }),
    );
  });

  it("is refused for just those steps that no path from the first leads to", () => {
    fc.assert(
      fc.property(graphs, ({ nodes, edges }) => {
        let reached = new Set(["0"]);
        for (const _ of nodes) {
          const next = edges.filter(({ source }) => reached.has(source)).map(({ target }) => target);
          reached = new Set([...reached, ...next]);
        }
        const expected = nodes.flatMap(({ key }, index) => (reached.has(key) ? [] : [index]));
        expect(refusedFor({ nodes, edges }, "UNREACHABLE_STEP")).toEqual(expected);
      }),
    );
  });
});

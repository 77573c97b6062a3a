import type { FieldViolation } from "@aiplatform/service-host";

/** A step as a transition names it. */
export interface Node {
  key: string;
}

/** A transition as written. */
export interface Edge {
  /** Key of the step it leaves. */
  source: string;
  /** Key of the step it leads to. */
  target: string;
  label: string;
}

/** Everything that is wrong with how steps and transitions hang together, each with its place. */
export function graphProblems(nodes: readonly Node[], edges: readonly Edge[]): FieldViolation[] {
  return [
    ...repeatedKeys(nodes),
    ...looseEnds(nodes, edges),
    ...repeatedLabels(edges),
    ...unreachable(nodes, edges),
    ...cycles(nodes, edges),
  ];
}

function repeatedKeys(nodes: readonly Node[]): FieldViolation[] {
  return repeated(nodes, ({ key }) => key).map(([index, first]) =>
    problem(`steps[${index}].key`, "DUPLICATE_KEY", `the key stands at ${first} already`),
  );
}

function repeatedLabels(edges: readonly Edge[]): FieldViolation[] {
  return repeated(edges, ({ source, label }) => JSON.stringify([source, label])).map(([index, first]) =>
    problem(`step_transitions[${index}].label`, "DUPLICATE_LABEL", `the label leaves the step at ${first} already`),
  );
}

/** Indexes of what stood before, each with the index of where it stood first. */
function repeated<T>(items: readonly T[], nameOf: (item: T) => string): [index: number, first: number][] {
  const firsts = new Map<string, number>();
  return items.flatMap((item, index): [number, number][] => {
    const first = firsts.get(nameOf(item));
    if (first === undefined) firsts.set(nameOf(item), index);
    return first === undefined ? [] : [[index, first]];
  });
}

function looseEnds(nodes: readonly Node[], edges: readonly Edge[]): FieldViolation[] {
  const keys = new Set(nodes.map(({ key }) => key));
  return edges.flatMap((edge, index) => {
    const ends = (["source", "target"] as const).filter((end) => !keys.has(edge[end]));
    const unknown = ends.map((end) =>
      problem(`step_transitions[${index}].${end}`, "UNKNOWN_STEP", "no step has this key"),
    );
    const isLoop = edge.source === edge.target && ends.length === 0;
    const place = `step_transitions[${index}].target`;
    return isLoop ? [problem(place, "SELF_LOOP", "a transition cannot lead to the step that it leaves")] : unknown;
  });
}

function unreachable(nodes: readonly Node[], edges: readonly Edge[]): FieldViolation[] {
  const leaving = edgesByName(edges, ({ source }) => source);
  const reached = new Set(nodes.slice(0, 1).map(({ key }) => key));
  // A set takes in what is added while it is walked through.
  for (const key of reached) for (const { target } of leaving.get(key) ?? []) reached.add(target);
  return nodes.flatMap(({ key }, index) =>
    reached.has(key)
      ? []
      : [problem(`steps[${index}].key`, "UNREACHABLE_STEP", "no transitions lead from the first step to this one")],
  );
}

/** Each transition that closes a cycle; without these there is none. */
function cycles(nodes: readonly Node[], edges: readonly Edge[]): FieldViolation[] {
  const leaving = edgesByName(
    edges.map((edge, index) => ({ ...edge, index })),
    ({ source }) => source,
  );
  const states = new Map<string, "open" | "done">();
  const closing: number[] = [];
  const visit = (key: string): void => {
    states.set(key, "open");
    for (const { target, index } of leaving.get(key) ?? []) {
      const isOpen = states.get(target) === "open";
      if (isOpen && target !== key) closing.push(index);
      if (!states.has(target)) visit(target);
    }
    states.set(key, "done");
  };
  for (const { key } of nodes) if (!states.has(key)) visit(key);
  return closing
    .sort((one, other) => one - other)
    .map((index) => problem(`step_transitions[${index}].target`, "CYCLE", "the transition closes a cycle"));
}

function edgesByName<E>(edges: readonly E[], nameOf: (edge: E) => string): Map<string, E[]> {
  return Map.groupBy(edges, nameOf);
}

function problem(field: string, reason: string, text: string): FieldViolation {
  return { field, reason, description: `Value error, ${text}` };
}

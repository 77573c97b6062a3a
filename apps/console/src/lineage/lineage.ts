import type { components } from "@aiplatform/client";

export type Lineage = components["schemas"]["GetLineageResponse"];
export type LineageNode = components["schemas"]["LineageNode"];
export type LineageKind = components["schemas"]["LineageKind"];

const nouns: Readonly<Record<LineageKind, readonly [one: string, many: string]>> = {
  dataset_version: ["version of a dataset", "versions of datasets"],
  dataset_embedding: ["embedding", "embeddings"],
  run: ["run", "runs"],
  model_version: ["version of a model", "versions of models"],
  deployment: ["deployment", "deployments"],
};

/** How many things there are of each kind, for people: `2 runs, 1 deployment`. */
export function totalsText(totals: readonly { kind: LineageKind; count: number }[]): string {
  return totals.map(({ kind, count }) => `${count} ${nouns[kind][count === 1 ? 0 : 1]}`).join(", ");
}

/** What the kind of a thing is called. */
export function kindText(kind: LineageKind): string {
  return nouns[kind][0];
}

/** What will be in the lineage of a thing of which it has nothing yet. */
export const emptyTexts: Readonly<Record<LineageKind, string>> = {
  dataset_version: "Runs that read this version, models that they make and deployments of these appear here.",
  dataset_embedding: "The version whose rows are embedded appears here.",
  run: "The data that the run reads, models that it makes and deployments of these appear here.",
  model_version: "The run that made the version, and deployments of it, appear here.",
  deployment: "The models that it serves, and what they were made of, appear here.",
};

/** What people call a thing. */
export function nodeText({ kind, name, number }: Pick<LineageNode, "kind" | "name" | "number">): string {
  const version = number === null ? "" : `version ${number}`;
  const text = [name, version].filter(Boolean).join(", ") || kindText(kind);
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

/** What a thing was made of, and what was made of it, the nearest first. */
export function lineageSides({ nodes, edges }: Pick<Lineage, "nodes" | "edges">, id: string) {
  return {
    sources: reached(nodes, id, (from) => edges.flatMap((edge) => (edge.derived_id === from ? edge.source_id : []))),
    derived: reached(nodes, id, (from) => edges.flatMap((edge) => (edge.source_id === from ? edge.derived_id : []))),
  };
}

function reached(nodes: readonly LineageNode[], start: string, next: (id: string) => string[]): LineageNode[] {
  const seen = new Set([start]);
  // What is added while it is gone through is gone through, too.
  for (const id of seen) for (const each of next(id)) seen.add(each);
  return nodes.filter(({ id }) => id !== start && seen.has(id));
}

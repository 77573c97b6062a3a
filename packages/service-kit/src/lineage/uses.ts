import type { LineageUses } from "@aiplatform/contract/aiplatform/lineage/v1/lineage";
import { kindMessages, kindsByMessage, nodeMessage, nodeOf } from "./lineage-message.ts";
import { type LineageKind, readPermissions, type Thing } from "./thing.ts";

/** Something that was made of a thing. */
export interface Use extends Omit<Thing, "sources"> {
  /** Steps from the thing. */
  distance: number;
}

/** What was made of a thing, directly and over others. */
export interface Uses {
  /** The nearest first. */
  nodes: Use[];
  /** Of each kind, those that are not named included. */
  totals: { kind: LineageKind; count: number }[];
  /** Things that were not followed because there are too many. */
  leftOut: number;
}

/** As another service answers them. */
export function usesOf({ nodes, totals, leftOut }: LineageUses): Uses {
  return {
    nodes: nodes.map((node) => ({ ...nodeOf(node), distance: node.distance })),
    totals: totals.map(({ kind, count }) => ({ kind: kindsByMessage[kind], count })),
    leftOut,
  };
}

/** As callers see them: of kinds that they may not read, the number alone. */
export function usesMessage({ nodes, totals, leftOut }: Uses, permissions: ReadonlySet<string>) {
  const readable = nodes.filter(({ kind }) => permissions.has(readPermissions[kind]));
  return {
    nodes: readable.map(({ distance, ...thing }) => nodeMessage(thing, distance)),
    totals: totals.map(({ kind, count }) => ({ kind: kindMessages[kind], count })),
    leftOut,
  };
}

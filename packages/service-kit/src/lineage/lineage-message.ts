import {
  LineageKind as Kinds,
  type LineageMatches as LineageMatchesMessage,
  type LineageNode,
  type LineageQuery,
} from "@aiplatform/contract/aiplatform/lineage/v1/lineage";
import type { LineageMatches, LineageSearch } from "./find-lineage.ts";
import type { LineageKind, Thing } from "./thing.ts";

export const kindMessages: Readonly<Record<LineageKind, Kinds>> = {
  dataset_version: Kinds.DATASET_VERSION,
  dataset_embedding: Kinds.DATASET_EMBEDDING,
  run: Kinds.RUN,
  model_version: Kinds.MODEL_VERSION,
  deployment: Kinds.DEPLOYMENT,
};

/** The contract refuses a request that does not say. */
export const kindsByMessage: Readonly<Record<Kinds, LineageKind>> = {
  [Kinds.UNSPECIFIED]: "dataset_version",
  [Kinds.DATASET_VERSION]: "dataset_version",
  [Kinds.DATASET_EMBEDDING]: "dataset_embedding",
  [Kinds.RUN]: "run",
  [Kinds.MODEL_VERSION]: "model_version",
  [Kinds.DEPLOYMENT]: "deployment",
};

export function nodeMessage({ kind, id, name, number, state, parentId }: Omit<Thing, "sources">, distance: number) {
  return {
    ...{ kind: kindMessages[kind], id, state, distance },
    ...(name !== undefined && { name }),
    ...(number !== undefined && { number }),
    ...(parentId !== undefined && { parentId }),
  };
}

/** A thing as a message has it. */
export function nodeOf({ kind, id, name, number, state, parentId }: LineageNode): Omit<Thing, "sources"> {
  return { kind: kindsByMessage[kind], id, name, number, parentId, state };
}

/** The question of another service. */
export function searchOf({ organisationId, ids, sourceIds, knownIds, limit }: LineageQuery): LineageSearch {
  return { organisationId, ids, sourceIds, knownIds, limit };
}

export function matchesMessage({ things, total }: LineageMatches<Thing>) {
  return {
    total,
    things: things.map((thing) => ({
      node: nodeMessage(thing, 0),
      sources: thing.sources.map(({ kind, id }) => ({ kind: kindMessages[kind], id })),
    })),
  };
}

/** The answer of another service. */
export function matchesOf({ things, total }: LineageMatchesMessage): LineageMatches<Thing> {
  const refOf = ({ kind, id }: { kind: Kinds; id: string }) => ({ kind: kindsByMessage[kind], id });
  return {
    total,
    things: things.flatMap(({ node, sources }) => (node ? [{ ...nodeOf(node), sources: sources.map(refOf) }] : [])),
  };
}

import { LineageDirection as Directions } from "@aiplatform/contract/aiplatform/deployments/v1/lineage";
import { kindMessages, type LineageKind, lineageKinds, nodeMessage } from "@aiplatform/service-kit/lineage";
import { edgesAmong, type FoundThing, type Lineage, type LineageDirection } from "./lineage.ts";

/** Both unless the request says which. */
export const directions: Readonly<Record<Directions, readonly LineageDirection[]>> = {
  [Directions.UNSPECIFIED]: ["upstream", "downstream"],
  [Directions.UPSTREAM]: ["upstream"],
  [Directions.DOWNSTREAM]: ["downstream"],
  [Directions.BOTH]: ["upstream", "downstream"],
};

/** Things that are named as uses at most. */
const maxNamed = 100;

export function lineageMessage({ found, hidden, leftOut }: Lineage) {
  const edges = edgesAmong(found).map(({ source, derived }) => ({ sourceId: source.id, derivedId: derived.id }));
  return { nodes: nodesOf(found), edges, hidden: totalsOf(hidden), leftOut };
}

export function usesMessage({ found, leftOut }: Lineage) {
  const counts = Map.groupBy(found, ({ thing }) => thing.kind);
  const totals = new Map([...counts].map(([kind, things]) => [kind, things.length]));
  return { nodes: nodesOf(found.slice(0, maxNamed)), totals: totalsOf(totals), leftOut };
}

function nodesOf(found: readonly FoundThing[]) {
  return found.map(({ thing, distance }) => nodeMessage(thing, distance));
}

function totalsOf(counts: ReadonlyMap<LineageKind, number>) {
  return lineageKinds.flatMap((kind) => {
    const count = counts.get(kind) ?? 0;
    return count > 0 ? [{ kind: kindMessages[kind], count }] : [];
  });
}

import type { LineageKind, Uses } from "@aiplatform/service-kit/lineage";

interface UseDocument {
  kind: LineageKind;
  id: string;
  name: string | null;
  number: number | null;
  state: string;
  parent_id: string | null;
  distance: number;
}

/** What has used the data of a version, as it is stored with it. */
export interface UsesDocument {
  nodes: UseDocument[];
  totals: Uses["totals"];
  left_out: number;
}

export function toUsesDocument({ nodes, totals, leftOut }: Uses): UsesDocument {
  const stored = nodes.map(({ name = null, number = null, parentId = null, kind, id, state, distance }) => {
    return { kind, id, name, number, state, parent_id: parentId, distance };
  });
  return { nodes: stored, totals, left_out: leftOut };
}

export function toUses({ nodes, totals, left_out: leftOut }: UsesDocument): Uses {
  const named = nodes.map(({ name, number, parent_id: parentId, ...use }) => {
    return { ...use, name: name ?? undefined, number: number ?? undefined, parentId: parentId ?? undefined };
  });
  return { nodes: named, totals, leftOut };
}

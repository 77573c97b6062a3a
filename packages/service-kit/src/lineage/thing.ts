/** What something is that was made of something, or of which something was made. */
export type LineageKind = "dataset_version" | "dataset_embedding" | "run" | "model_version" | "deployment";

/** Names a thing. */
export interface ThingRef {
  kind: LineageKind;
  id: string;
}

/** A thing of the lineage, and what it was made of. */
export interface Thing extends ThingRef {
  /** What people call it. */
  name?: string | undefined;
  /** Among the versions of its dataset or model. */
  number?: number | undefined;
  /** As the operation says it that answers the thing. */
  state: string;
  /** The dataset, pipeline or model that it belongs to. */
  parentId?: string | undefined;
  sources: readonly ThingRef[];
}

/** What each kind is made of. A version of a dataset may be made of other versions. */
export const sourceKinds: Readonly<Record<LineageKind, LineageKind>> = {
  dataset_version: "dataset_version",
  dataset_embedding: "dataset_version",
  run: "dataset_version",
  model_version: "run",
  deployment: "model_version",
};

/** In the order in which one is made of the other. */
export const lineageKinds = Object.keys(sourceKinds) as readonly LineageKind[];

/** What reading things of a kind needs. */
export const readPermissions: Readonly<Record<LineageKind, string>> = {
  dataset_version: "data:read",
  dataset_embedding: "data:read",
  run: "metrics:read",
  model_version: "models:read",
  deployment: "deployments:read",
};

/** State of a thing that is gone, and that something still names. */
export const deletedState = "deleted";

/** References to things of one kind. */
export function refsTo(kind: LineageKind, ids: readonly string[]): ThingRef[] {
  return [...new Set(ids)].map((id) => ({ kind, id }));
}

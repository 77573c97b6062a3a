import type { Feature, FeatureStatus } from "./feature.ts";

export type DeletionEffect = "delete" | "deprecate" | "nothing";

export interface DeletionCase {
  status: FeatureStatus;
  /** Whether anything uses the feature. */
  isUsed: boolean;
  /** Whether the caller wants it kept even if nothing does. */
  keep: boolean;
}

export interface DeletedFeature {
  key: string;
  hardDeleted: boolean;
  status: FeatureStatus | "deleted";
  /** The last one it had, where it is gone. */
  version: number;
}

const used: Readonly<Record<FeatureStatus, DeletionEffect>> = { active: "deprecate", deprecated: "nothing" };

/** What is in use never vanishes, and what is deprecated already is not deprecated again. */
export function effectOfDeletion({ status, isUsed, keep }: DeletionCase): DeletionEffect {
  return isUsed || keep ? used[status] : "delete";
}

/** The feature as deprecation leaves it. */
export function deprecated(feature: Feature, time: Date): Feature {
  return { ...feature, status: "deprecated", version: feature.version + 1, updatedAt: time, deprecatedAt: time };
}

/** The feature as restoring leaves it; itself when it is active. */
export function restored(feature: Feature, time: Date): Feature {
  if (feature.status === "active") return feature;
  return { ...feature, status: "active", version: feature.version + 1, updatedAt: time, deprecatedAt: undefined };
}

/** One sentence for people: what the deletion did, or would do, and how much uses the feature. */
export function impactMessage(
  key: string,
  { effect, total, dryRun }: { effect: DeletionEffect; total: number; dryRun: boolean },
): string {
  return `${usesOf(key, total)}: ${(dryRun ? foretold : done)[effect]}.`;
}

const done: Readonly<Record<DeletionEffect, string>> = {
  delete: "it is deleted",
  deprecate: "it is deprecated, not deleted",
  nothing: "it stays deprecated",
};

const foretold: Readonly<Record<DeletionEffect, string>> = {
  delete: "it would be deleted",
  deprecate: "it would be deprecated, not deleted",
  nothing: "it would stay deprecated",
};

function usesOf(key: string, total: number): string {
  const feature = `the feature ${JSON.stringify(key)}`;
  if (total === 0) return `Nothing uses ${feature}`;
  return total === 1 ? `1 asset uses ${feature}` : `${total} assets use ${feature}`;
}

export interface UsingAsset {
  /** Such as `automation`. */
  assetType: string;
  assetId: string;
}

export interface FeatureUsage extends UsingAsset {
  id: string;
  organisationId: string;
  featureId: string;
  featureKey: string;
  assetName: string;
  usageNotes: string;
  /** JSON text of an object. */
  annotations: string;
  createdAt: Date;
  updatedAt: Date;
  /** Undefined when the platform or a key said so. */
  createdByMemberId: string | undefined;
  updatedByMemberId: string | undefined;
}

/** What is said of a use. */
export type UsageText = Pick<FeatureUsage, "assetName" | "usageNotes" | "annotations">;

/** Uses that a deletion lists at most. */
export const maxListed = 1_000;
/** Bytes of a use's annotations at most. */
export const maxAnnotationBytes: number = 16 * 1024;

export function isSameUse(one: UsageText, other: UsageText): boolean {
  return (
    one.assetName === other.assetName && one.usageNotes === other.usageNotes && one.annotations === other.annotations
  );
}

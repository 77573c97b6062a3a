/** What uses a feature. */
export interface UsingAsset {
  /** Such as `automation`. */
  assetType: string;
  assetId: string;
}

/** The use of a feature. */
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
export const mostListed = 1_000;
/** Bytes of a use's annotations at most. */
export const mostAnnotated: number = 16 * 1024;

/** Whether two texts say the same. */
export function isSameUse(one: UsageText, other: UsageText): boolean {
  return (
    one.assetName === other.assetName && one.usageNotes === other.usageNotes && one.annotations === other.annotations
  );
}

import { NotFoundError } from "@aiplatform/service-kit/not-found";
import { LimitError } from "../entity-error.ts";
export type FeatureStatus = "active" | "deprecated";

/** A feature: one of the things that models and automations are made of. */
export interface Feature {
  id: string;
  organisationId: string;
  /** Unique in the organisation. */
  key: string;
  description: string;
  usageNotes: string;
  status: FeatureStatus;
  /** Grows by one with each change, and goes on when a deleted key is made again. */
  version: number;
  ownerMemberId: string | undefined;
  /** The key to use instead. */
  replacementKey: string | undefined;
  createdAt: Date;
  updatedAt: Date;
  /** Undefined unless it is deprecated. */
  deprecatedAt: Date | undefined;
}

export type FeatureText = Pick<Feature, "description" | "usageNotes" | "ownerMemberId" | "replacementKey">;

/** Features of an organisation at most. */
export const maxFeatures = 10_000;
/** Features that an error names at most. */
const maxNamed = 10;

/** The feature, or what is said to use it, does not exist, or not here. */
export class FeatureNotFoundError extends NotFoundError {
  override name = "FeatureNotFoundError";
}

export class FeatureDeprecatedError extends Error {
  override name = "FeatureDeprecatedError";
  readonly featureKey: string;
  constructor({ key, replacementKey }: Pick<Feature, "key" | "replacementKey">) {
    const instead = replacementKey === undefined ? "" : `; use ${JSON.stringify(replacementKey)} instead`;
    super(`The feature ${JSON.stringify(key)} is deprecated and takes no new uses${instead}`);
    this.featureKey = key;
  }
}

/** Features that something wants to use are not there, or deprecated. */
export class FeaturesUnavailableError extends Error {
  override name = "FeaturesUnavailableError";
  readonly featureKeys: readonly string[];
  constructor(featureKeys: readonly string[]) {
    const named = featureKeys.slice(0, maxNamed).map((key) => JSON.stringify(key));
    const more = featureKeys.length > maxNamed ? ` and ${featureKeys.length - maxNamed} more` : "";
    super(`These features are not there, or deprecated: ${named.join(", ")}${more}`);
    this.featureKeys = featureKeys;
  }
}

export class FeatureLimitError extends LimitError {
  override name = "FeatureLimitError";
  constructor() {
    super(maxFeatures, "features");
  }
}

export function isSameText(one: FeatureText, other: FeatureText): boolean {
  return (
    one.description === other.description &&
    one.usageNotes === other.usageNotes &&
    one.ownerMemberId === other.ownerMemberId &&
    one.replacementKey === other.replacementKey
  );
}

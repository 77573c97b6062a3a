import {
  type AffectedAsset,
  AffectedAssetSchema,
  type FeatureDeleteResult,
  FeatureDeleteResultSchema,
  type Feature as FeatureMessage,
  FeatureSchema,
  FeatureStatus as FeatureStatuses,
} from "@aiplatform/contract/aiplatform/content/v1/feature_memory";
import { create } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { DeletionOutcome } from "./delete-feature.ts";
import type { Feature } from "./feature.ts";
import type { DeletedFeature } from "./feature-deletion.ts";
import type { FeatureUsage } from "./feature-usage.ts";

const statuses: Readonly<Record<DeletedFeature["status"], FeatureStatuses>> = {
  active: FeatureStatuses.ACTIVE,
  deprecated: FeatureStatuses.DEPRECATED,
  deleted: FeatureStatuses.DELETED,
};

export function featureMessage(feature: Feature): FeatureMessage {
  const { id, organisationId, key, description, usageNotes, status, version } = feature;
  const { ownerMemberId, replacementKey, deprecatedAt } = feature;
  return create(FeatureSchema, {
    ...{ id, organisationId, key, description, usageNotes },
    status: statuses[status],
    version: BigInt(version),
    ...(ownerMemberId === undefined ? {} : { ownerMemberId }),
    ...(replacementKey === undefined ? {} : { replacementKey }),
    createdAt: timestampFromDate(feature.createdAt),
    updatedAt: timestampFromDate(feature.updatedAt),
    ...(deprecatedAt === undefined ? {} : { deprecatedAt: timestampFromDate(deprecatedAt) }),
  });
}

export function usageMessage(usage: FeatureUsage): AffectedAsset {
  const { id, organisationId, featureId, assetType, assetId, assetName, usageNotes } = usage;
  const { createdByMemberId, updatedByMemberId } = usage;
  return create(AffectedAssetSchema, {
    ...{ id, organisationId, featureId, assetType, assetId, assetName, usageNotes },
    annotations: { text: usage.annotations },
    createdAt: timestampFromDate(usage.createdAt),
    updatedAt: timestampFromDate(usage.updatedAt),
    ...(createdByMemberId === undefined ? {} : { createdByMemberId }),
    ...(updatedByMemberId === undefined ? {} : { updatedByMemberId }),
  });
}

export function outcomeMessage({ key, hardDeleted, status, version, ...impact }: DeletionOutcome): FeatureDeleteResult {
  return create(FeatureDeleteResultSchema, {
    ...{ key, hardDeleted },
    status: statuses[status],
    version: BigInt(version),
    impactWarning: { message: impact.message, affectedAssets: impact.affected.map(usageMessage) },
  });
}

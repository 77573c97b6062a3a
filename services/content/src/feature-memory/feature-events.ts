import {
  FeatureDeletedSchema,
  FeatureDeprecatedSchema,
  FeaturePutSchema,
  FeatureRestoredSchema,
  FeatureUsageDeletedSchema,
  FeatureUsagePutSchema,
} from "@aiplatform/contract/aiplatform/events/v1/content";
import type { OutboxRecord } from "@aiplatform/document-store";
import { eventRecord } from "@aiplatform/event-stream";
import { create } from "@bufbuild/protobuf";
import type { Feature } from "./feature.ts";
import type { FeatureUsage } from "./feature-usage.ts";

export function featurePut(feature: Feature, time: Date): OutboxRecord {
  return eventRecord(FeaturePutSchema, create(FeaturePutSchema, versionOf(feature)), about(feature, time));
}

/** The feature is deprecated: who owns one of these automations should look elsewhere. */
export function featureDeprecated(feature: Feature, automationIds: string[], time: Date): OutboxRecord {
  const fields = { ...versionOf(feature), automationIds, replacementKey: feature.replacementKey ?? "" };
  const message = create(FeatureDeprecatedSchema, fields);
  return eventRecord(FeatureDeprecatedSchema, message, about(feature, time));
}

export function featureRestored(feature: Feature, time: Date): OutboxRecord {
  const message = create(FeatureRestoredSchema, versionOf(feature));
  return eventRecord(FeatureRestoredSchema, message, about(feature, time));
}

export function featureDeleted(feature: Feature, time: Date): OutboxRecord {
  return eventRecord(FeatureDeletedSchema, create(FeatureDeletedSchema, versionOf(feature)), about(feature, time));
}

export function featureUsagePut(usage: FeatureUsage, time: Date): OutboxRecord {
  const { organisationId, featureId, featureKey, assetType, assetId } = usage;
  const message = create(FeatureUsagePutSchema, { organisationId, featureKey, assetType, assetId });
  return eventRecord(FeatureUsagePutSchema, message, { organisationId, entityId: featureId, time });
}

export function featureUsageDeleted(usage: FeatureUsage, time: Date): OutboxRecord {
  const { organisationId, featureId, featureKey, assetType, assetId } = usage;
  const message = create(FeatureUsageDeletedSchema, { organisationId, featureKey, assetType, assetId });
  return eventRecord(FeatureUsageDeletedSchema, message, { organisationId, entityId: featureId, time });
}

function versionOf({ organisationId, key, version }: Feature) {
  return { organisationId, featureKey: key, version: BigInt(version) };
}

/** A key may hold what no subject can, so that events are about the feature's id. */
function about({ organisationId, id }: Feature, time: Date) {
  return { organisationId, entityId: id, time };
}

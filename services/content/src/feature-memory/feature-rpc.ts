import { callerOf } from "@aiplatform/caller-identity";
import { FeatureMemoryService } from "@aiplatform/contract/aiplatform/content/v1/feature_memory";
import { tagAnswer } from "@aiplatform/service-kit/entity-tag";
import type { ConnectRouter } from "@connectrpc/connect";
import type { KnownMembers } from "../known-members.ts";
import type { OperationContext } from "../operation-context.ts";
import { deleteFeature } from "./delete-feature.ts";
import { deleteFeatureUsage } from "./delete-feature-usage.ts";
import { featureMessage, outcomeMessage, usageMessage } from "./feature-message.ts";
import type { FeatureStore } from "./feature-store.ts";
import type { FeatureUsageStore } from "./feature-usage-store.ts";
import type { KnownAssets } from "./known-assets.ts";
import { putFeature } from "./put-feature.ts";
import { putFeatureUsage } from "./put-feature-usage.ts";
import { restoreFeature } from "./restore-feature.ts";

interface Dependencies extends OperationContext {
  features: FeatureStore;
  featureUsages: FeatureUsageStore;
  members: Pick<KnownMembers, "assertKnown">;
  knownAssets: Pick<KnownAssets, "assertKnown">;
}

export function featureRoutes(router: ConnectRouter, dependencies: Dependencies): void {
  const { features, featureUsages, knownAssets } = dependencies;
  router.service(FeatureMemoryService, {
    async deleteFeature({ featureKey: key, dryRun, keep }, context) {
      const { organisationId } = callerOf(context);
      return { result: outcomeMessage(await deleteFeature(dependencies, { organisationId, key, dryRun, keep })) };
    },
    async putFeature({ featureKey: key, ifMatch, ...text }, context) {
      const caller = callerOf(context);
      const { description, usageNotes, replacementKey, ownerMemberId } = text;
      const { organisationId } = caller;
      const wanted = { organisationId, key, description, usageNotes, ownerMemberId, replacementKey };
      const feature = await putFeature(dependencies, caller, { ...wanted, ifMatch });
      tagAnswer(context, feature.version);
      return { feature: featureMessage(feature) };
    },
    async listFeatures({ limit = 100, ...request }, context) {
      const { organisationId } = callerOf(context);
      const { items, nextCursor } = await features.list(organisationId, { ...request, limit });
      return { features: items.map(featureMessage), nextCursor };
    },
    async getFeature({ featureKey }, context) {
      const feature = await features.get(callerOf(context).organisationId, featureKey);
      tagAnswer(context, feature.version);
      return { feature: featureMessage(feature) };
    },
    async restoreFeature({ featureKey }, context) {
      const { organisationId } = callerOf(context);
      return { feature: featureMessage(await restoreFeature(dependencies, organisationId, featureKey)) };
    },
    async listFeatureUsages({ featureKey: key, limit = 100, ...request }, context) {
      const { organisationId } = callerOf(context);
      const { id } = await features.get(organisationId, key);
      const { items, nextCursor } = await featureUsages.list(organisationId, id, { ...request, limit });
      return { usages: items.map(usageMessage), nextCursor };
    },
    async putFeatureUsage({ featureKey, assetType, assetId, assetName = "", usageNotes, annotations }, context) {
      const caller = callerOf(context);
      const { organisationId, memberId } = caller;
      await knownAssets.assertKnown(caller, { assetType, assetId });
      const said = { featureKey, assetType, assetId, assetName, usageNotes, annotations: annotations?.text || "{}" };
      return { usage: usageMessage(await putFeatureUsage(dependencies, { organisationId, memberId, ...said })) };
    },
    async deleteFeatureUsage({ featureKey, assetType, assetId }, context) {
      const { organisationId } = callerOf(context);
      const asset = { organisationId, featureKey, assetType, assetId };
      return { usage: usageMessage(await deleteFeatureUsage(dependencies, asset)) };
    },
  });
}

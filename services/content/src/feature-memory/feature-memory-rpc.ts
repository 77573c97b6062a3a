import { callerOf } from "@aiplatform/caller-identity";
import { FeatureMemoryService } from "@aiplatform/contract/aiplatform/content/v1/feature_memory";
import type { ConnectRouter } from "@connectrpc/connect";
import type { ContentDependencies } from "../dependencies.ts";
import { deleteFeature } from "./delete-feature.ts";
import { deleteFeatureUsage } from "./delete-feature-usage.ts";
import { featureMessage, outcomeMessage, usageMessage } from "./feature-messages.ts";
import { getFeature } from "./get-feature.ts";
import { listFeatureUsages } from "./list-feature-usages.ts";
import { putFeature } from "./put-feature.ts";
import { putFeatureUsage } from "./put-feature-usage.ts";
import { restoreFeature } from "./restore-feature.ts";

/** Serves FeatureMemoryService. */
export function featureMemoryRoutes(router: ConnectRouter, dependencies: ContentDependencies): void {
  router.service(FeatureMemoryService, {
    async deleteFeature({ featureKey: key, dryRun, keep }, context) {
      const { organisationId } = callerOf(context);
      return { result: outcomeMessage(await deleteFeature(dependencies, { organisationId, key, dryRun, keep })) };
    },
    async putFeature({ featureKey: key, ...text }, context) {
      const caller = callerOf(context);
      const { description, usageNotes, replacementKey } = text;
      const ownerMemberId = text.ownerMemberId?.toLowerCase();
      const { organisationId } = caller;
      const wanted = { organisationId, key, description, usageNotes, ownerMemberId, replacementKey };
      return { feature: featureMessage(await putFeature(dependencies, caller, wanted)) };
    },
    async listFeatures({ limit = 100, cursor }, context) {
      const { organisationId } = callerOf(context);
      const { items, nextCursor } = await dependencies.features.list(organisationId, { limit, cursor });
      return { features: items.map(featureMessage), nextCursor };
    },
    async getFeature({ featureKey }, context) {
      return { feature: featureMessage(await getFeature(dependencies, callerOf(context).organisationId, featureKey)) };
    },
    async restoreFeature({ featureKey }, context) {
      const { organisationId } = callerOf(context);
      return { feature: featureMessage(await restoreFeature(dependencies, organisationId, featureKey)) };
    },
    async listFeatureUsages({ featureKey: key, limit = 100, cursor }, context) {
      const { organisationId } = callerOf(context);
      const { items, nextCursor } = await listFeatureUsages(dependencies, organisationId, { key, limit, cursor });
      return { usages: items.map(usageMessage), nextCursor };
    },
    async putFeatureUsage({ featureKey, assetType, assetId, assetName = "", usageNotes, annotations }, context) {
      const { organisationId, memberId } = callerOf(context);
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

import type { ClientSession } from "@aiplatform/document-store";
import type { OperationContext } from "../operation-context.ts";
import { type Feature, FeatureNotFoundError } from "./feature.ts";
import {
  type DeletedFeature,
  type DeletionEffect,
  deprecated,
  effectOfDeletion,
  impactMessage,
} from "./feature-deletion.ts";
import { featureDeleted, featureDeprecated } from "./feature-events.ts";
import type { FeatureStore } from "./feature-store.ts";
import { type FeatureUsage, maxListed } from "./feature-usage.ts";
import type { FeatureUsageStore } from "./feature-usage-store.ts";

interface Dependencies extends Pick<OperationContext, "outbox" | "transaction" | "clock"> {
  features: FeatureStore;
  featureUsages: FeatureUsageStore;
}

export interface FeatureDeletion {
  organisationId: string;
  key: string;
  /** Says what would be, and changes nothing. */
  dryRun: boolean;
  /** Deprecates even if nothing uses the feature. */
  keep: boolean;
}

export interface DeletionOutcome extends DeletedFeature {
  message: string;
  affected: FeatureUsage[];
}

/** Deletes a feature that nothing uses, and deprecates one that something does. @throws FeatureNotFoundError */
export function deleteFeature(
  dependencies: Dependencies,
  { organisationId, key, dryRun, keep }: FeatureDeletion,
): Promise<DeletionOutcome> {
  const { features, featureUsages, transaction } = dependencies;
  return transaction(async (session) => {
    const feature = dryRun
      ? await features.find(organisationId, key, session)
      : (await features.claim(organisationId, [key], session))[0];
    if (!feature) throw new FeatureNotFoundError(key);
    const total = await featureUsages.count(organisationId, feature.id, session);
    const effect = effectOfDeletion({ status: feature.status, isUsed: total > 0, keep });
    const page = { limit: maxListed, cursor: "", session };
    const { items: affected } = await featureUsages.list(organisationId, feature.id, page);
    const outcome = await applyEffect(dependencies, { feature, effect: dryRun ? "nothing" : effect }, session);
    return { ...outcome, message: impactMessage(key, { effect, total, dryRun }), affected };
  });
}

async function applyEffect(
  { features, featureUsages, outbox, clock }: Dependencies,
  { feature, effect }: { feature: Feature; effect: DeletionEffect },
  session: ClientSession,
): Promise<DeletedFeature> {
  const { organisationId, id, key, version, status } = feature;
  const time = clock();
  switch (effect) {
    case "delete":
      await features.delete(organisationId, feature, session);
      await outbox.stage(session, featureDeleted(feature, time));
      return { key, hardDeleted: true, status: "deleted", version };
    case "deprecate": {
      const next = deprecated(feature, time);
      await features.update(organisationId, next, session);
      const automations = { featureId: id, assetType: "automation" };
      const automationIds = await featureUsages.assetIds(organisationId, automations, session);
      await outbox.stage(session, featureDeprecated(next, automationIds, time));
      return { key, hardDeleted: false, status: next.status, version: next.version };
    }
    case "nothing":
      return { key, hardDeleted: false, status, version };
  }
}

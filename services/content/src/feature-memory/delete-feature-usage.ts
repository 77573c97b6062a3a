import type { OperationContext } from "../operation-context.ts";
import { FeatureNotFoundError } from "./feature.ts";
import { featureUsageDeleted } from "./feature-events.ts";
import type { FeatureStore } from "./feature-store.ts";
import type { FeatureUsage, UsingAsset } from "./feature-usage.ts";
import type { FeatureUsageStore } from "./feature-usage-store.ts";

interface Dependencies extends Pick<OperationContext, "outbox" | "transaction" | "clock"> {
  features: FeatureStore;
  featureUsages: FeatureUsageStore;
}

/** Forgets that something uses a feature. @throws FeatureNotFoundError when nothing was known of it */
export function deleteFeatureUsage(
  { features, featureUsages, outbox, transaction, clock }: Dependencies,
  { organisationId, featureKey, ...asset }: UsingAsset & { organisationId: string; featureKey: string },
): Promise<FeatureUsage> {
  return transaction(async (session) => {
    const [feature] = await features.claim(organisationId, [featureKey], session);
    const usage = feature && (await featureUsages.find(organisationId, { ...asset, featureId: feature.id }, session));
    if (!usage) throw new FeatureNotFoundError(featureKey);
    await featureUsages.deleteMany(organisationId, [usage.id], session);
    await outbox.stage(session, featureUsageDeleted(usage, clock()));
    return usage;
  });
}

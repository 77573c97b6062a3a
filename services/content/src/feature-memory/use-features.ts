import type { ClientSession } from "@aiplatform/document-store";
import type { OperationContext } from "../operation-context.ts";
import { FeaturesUnavailableError } from "./feature.ts";
import type { FeatureStore } from "./feature-store.ts";
import { type FeatureUsage, isSameUse, type UsingAsset } from "./feature-usage.ts";
import type { FeatureUsageStore } from "./feature-usage-store.ts";

interface Dependencies extends Pick<OperationContext, "newId"> {
  features: FeatureStore;
  featureUsages: FeatureUsageStore;
}

/** What something of the platform's own uses from now on. */
export interface OwnUses {
  organisationId: string;
  asset: UsingAsset & { assetName: string };
  /** Keys of all features that it uses, each with how. */
  uses: ReadonlyMap<string, string>;
  time: Date;
}

/**
 * Remembers that an asset uses these features and no others, in the transaction that makes it so. A transaction that
 * deletes one of them at the same time claims it too: one of the two comes first.
 * @throws FeaturesUnavailableError
 */
export async function useFeatures(
  { features, featureUsages, newId }: Dependencies,
  { organisationId, asset, uses, time }: OwnUses,
  session: ClientSession,
): Promise<void> {
  const claimed = uses.size > 0 ? await features.claim(organisationId, [...uses.keys()], session) : [];
  const active = new Set(claimed.filter(({ status }) => status === "active").map(({ key }) => key));
  const unavailable = [...uses.keys()].filter((key) => !active.has(key));
  if (unavailable.length > 0) throw new FeaturesUnavailableError(unavailable);
  const known = await featureUsages.ofAsset(organisationId, asset, session);
  const byFeature = new Map(known.map((usage) => [usage.featureId, usage]));
  const wanted = claimed.map(({ id: featureId, key: featureKey }): FeatureUsage => {
    const noMember = { createdByMemberId: undefined, updatedByMemberId: undefined };
    const origin = byFeature.get(featureId) ?? { id: newId(), createdAt: time };
    const text = { usageNotes: uses.get(featureKey) ?? "", annotations: "{}" };
    return { ...origin, organisationId, featureId, featureKey, ...asset, ...text, updatedAt: time, ...noMember };
  });
  const before = (usage: FeatureUsage) => byFeature.get(usage.featureId);
  const changed = wanted.filter((usage) => {
    const earlier = before(usage);
    return earlier && !isSameUse(earlier, usage);
  });
  const used = new Set(wanted.map(({ featureId }) => featureId));
  const over = known.filter(({ featureId }) => !used.has(featureId)).map(({ id }) => id);
  await featureUsages.insertMany(
    organisationId,
    wanted.filter((usage) => !before(usage)),
    session,
  );
  await featureUsages.updateMany(organisationId, changed, session);
  await featureUsages.deleteMany(organisationId, over, session);
}

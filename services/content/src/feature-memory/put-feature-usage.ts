import { assertNone } from "@aiplatform/service-host";
import type { OperationContext } from "../operation-context.ts";
import { FeatureDeprecatedError, FeatureNotFoundError } from "./feature.ts";
import { featureUsagePut } from "./feature-events.ts";
import type { FeatureStore } from "./feature-store.ts";
import { type FeatureUsage, isSameUse, maxAnnotationBytes, type UsageText, type UsingAsset } from "./feature-usage.ts";
import type { FeatureUsageStore } from "./feature-usage-store.ts";

interface Dependencies extends Pick<OperationContext, "outbox" | "transaction" | "clock" | "newId"> {
  features: FeatureStore;
  featureUsages: FeatureUsageStore;
}

/** What uses which feature, and who says so. */
export interface SaidUsage extends UsingAsset, UsageText {
  organisationId: string;
  featureKey: string;
  /** Undefined: a key. */
  memberId: string | undefined;
}

/**
 * Remembers that something uses a feature; what is known already changes nothing.
 * @throws InvalidFieldsError, FeatureNotFoundError, and FeatureDeprecatedError when a use of a deprecated feature would
 * be new
 */
export function putFeatureUsage(
  { features, featureUsages, outbox, transaction, clock, newId }: Dependencies,
  { memberId, ...said }: SaidUsage,
): Promise<FeatureUsage> {
  const { organisationId, featureKey } = said;
  assertAnnotations(said.annotations);
  return transaction(async (session) => {
    const [feature] = await features.claim(organisationId, [featureKey], session);
    if (!feature) throw new FeatureNotFoundError(featureKey);
    const known = await featureUsages.find(organisationId, { ...said, featureId: feature.id }, session);
    if (known && isSameUse(known, said)) return known;
    if (!known && feature.status === "deprecated") throw new FeatureDeprecatedError(feature);
    const time = clock();
    const origin = known ?? { id: newId(), featureId: feature.id, createdAt: time, createdByMemberId: memberId };
    const usage = { ...origin, ...said, updatedAt: time, updatedByMemberId: memberId };
    if (known) await featureUsages.updateMany(organisationId, [usage], session);
    else await featureUsages.insertMany(organisationId, [usage], session);
    await outbox.stage(session, featureUsagePut(usage, time));
    return usage;
  });
}

function assertAnnotations(annotations: string): void {
  const description = `Value error, annotations may have ${maxAnnotationBytes} bytes at most`;
  const isLong = Buffer.byteLength(annotations) > maxAnnotationBytes;
  assertNone(isLong ? [{ field: "annotations", reason: "ANNOTATIONS_TOO_LONG", description }] : []);
}

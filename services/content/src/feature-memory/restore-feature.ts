import type { OperationContext } from "../operation-context.ts";
import { type Feature, FeatureNotFoundError } from "./feature.ts";
import { restored } from "./feature-deletion.ts";
import { featureRestored } from "./feature-events.ts";
import type { FeatureStore } from "./feature-store.ts";

interface Dependencies extends Pick<OperationContext, "outbox" | "transaction" | "clock"> {
  features: FeatureStore;
}

/** Makes a deprecated feature active again; an active one stays as it is. @throws FeatureNotFoundError */
export function restoreFeature(
  { features, outbox, transaction, clock }: Dependencies,
  organisationId: string,
  key: string,
): Promise<Feature> {
  return transaction(async (session) => {
    const [feature] = await features.claim(organisationId, [key], session);
    if (!feature) throw new FeatureNotFoundError(key);
    const time = clock();
    const next = restored(feature, time);
    if (next === feature) return feature;
    await features.update(organisationId, next, session);
    await outbox.stage(session, featureRestored(next, time));
    return next;
  });
}

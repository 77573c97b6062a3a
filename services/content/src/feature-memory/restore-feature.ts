import type { ContentDependencies } from "../dependencies.ts";
import { restored } from "./deletion.ts";
import { type Feature, FeatureNotFoundError } from "./feature.ts";
import { featureRestored } from "./feature-events.ts";

/** Makes a deprecated feature active again; an active one stays as it is. Throws FeatureNotFoundError. */
export function restoreFeature(
  { features, outbox, transaction, clock }: Pick<ContentDependencies, "features" | "outbox" | "transaction" | "clock">,
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

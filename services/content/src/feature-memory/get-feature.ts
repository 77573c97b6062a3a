import type { ContentDependencies } from "../dependencies.ts";
import { type Feature, FeatureNotFoundError } from "./feature.ts";

/** One feature. Throws FeatureNotFoundError. */
export async function getFeature(
  { features }: Pick<ContentDependencies, "features">,
  organisationId: string,
  key: string,
): Promise<Feature> {
  const feature = await features.find(organisationId, key);
  if (!feature) throw new FeatureNotFoundError(key);
  return feature;
}

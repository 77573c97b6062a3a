import type { Page, PageRequest } from "@aiplatform/document-store";
import type { ContentDependencies } from "../dependencies.ts";
import type { FeatureUsage } from "./feature-usage.ts";
import { getFeature } from "./get-feature.ts";

/** What uses a feature, by name. Throws FeatureNotFoundError, InvalidCursorError. */
export async function listFeatureUsages(
  dependencies: Pick<ContentDependencies, "features" | "featureUsages">,
  organisationId: string,
  { key, limit, cursor }: Required<PageRequest> & { key: string; limit: number },
): Promise<Page<FeatureUsage>> {
  const { id: featureId } = await getFeature(dependencies, organisationId, key);
  return dependencies.featureUsages.list(organisationId, { featureId, limit, cursor });
}

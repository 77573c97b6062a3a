import type { Page } from "@aiplatform/document-store";
import type { ModelStore } from "./model-store.ts";
import type { ModelVersion } from "./model-version.ts";
import type { ModelVersionStore } from "./model-version-store.ts";

/** Newest first. @throws ModelNotFoundError, InvalidCursorError */
export async function listModelVersions(
  { models, modelVersions }: { models: ModelStore; modelVersions: ModelVersionStore },
  organisationId: string,
  request: { modelId: string; limit: number; cursor: string },
): Promise<Page<ModelVersion>> {
  const page = await modelVersions.list(organisationId, request);
  if (page.items.length === 0) await models.get(organisationId, request.modelId);
  return page;
}

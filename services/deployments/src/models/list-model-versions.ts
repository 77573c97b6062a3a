import type { Page } from "@aiplatform/document-store";
import type { ListPageRequest } from "@aiplatform/list-filter";
import type { ModelStore } from "./model-store.ts";
import type { ModelVersion } from "./model-version.ts";
import type { ModelVersionStore } from "./model-version-store.ts";

/** @throws ModelNotFoundError, InvalidListRequestError, InvalidCursorError */
export async function listModelVersions(
  { models, modelVersions }: { models: ModelStore; modelVersions: ModelVersionStore },
  organisationId: string,
  request: ListPageRequest & { modelId: string },
): Promise<Page<ModelVersion>> {
  const page = await modelVersions.list(organisationId, request);
  if (page.items.length === 0) await models.get(organisationId, request.modelId);
  return page;
}

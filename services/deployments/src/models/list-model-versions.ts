import type { Page } from "@aiplatform/document-store";
import type { DeploymentsDependencies } from "../dependencies.ts";
import { ModelNotFoundError } from "./model.ts";
import type { ModelVersion } from "./model-version.ts";

/** Versions of a model, newest first. Throws ModelNotFoundError, InvalidCursorError. */
export async function listModelVersions(
  { models, modelVersions }: Pick<DeploymentsDependencies, "models" | "modelVersions">,
  organisationId: string,
  request: { modelId: string; limit: number; cursor: string },
): Promise<Page<ModelVersion>> {
  const page = await modelVersions.list(organisationId, request);
  const isThere = page.items.length > 0 || (await models.find(organisationId, request.modelId)) !== undefined;
  if (!isThere) throw new ModelNotFoundError(request.modelId);
  return page;
}

import type { DomainPlatform } from "@aiplatform/service-kit";
import { type ModelVersion, ModelVersionNotFoundError } from "./model-version.ts";
import type { ModelVersionStore } from "./model-version-store.ts";

interface Dependencies extends Pick<DomainPlatform, "clock"> {
  modelVersions: ModelVersionStore;
}

/**
 * Has the artifact of a failed version fetched again, from where the run said it lies, or from the store where it was uploaded
 * since. A version that has not failed stays as it is.
 * @throws ModelVersionNotFoundError
 */
export async function retryModelVersion(
  { modelVersions, clock }: Dependencies,
  organisationId: string,
  modelVersionId: string,
): Promise<ModelVersion> {
  const found = await modelVersions.find(organisationId, modelVersionId);
  if (found?.status === "failed") await modelVersions.retry(organisationId, found, clock());
  const version = await modelVersions.find(organisationId, modelVersionId);
  if (!version) throw new ModelVersionNotFoundError(modelVersionId);
  return version;
}

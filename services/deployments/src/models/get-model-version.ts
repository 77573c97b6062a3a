import { type ModelVersion, ModelVersionNotFoundError } from "./model-version.ts";
import type { ModelVersionStore } from "./model-version-store.ts";

/** A version with the deployments that serve it, or are to. */
export interface VersionLineage {
  version: ModelVersion;
  deploymentIds: string[];
}

/** What models know of the deployments that are made of them. */
export interface LineageDependencies {
  modelVersions: ModelVersionStore;
  deploymentVersions: { idsOfModelVersion(organisationId: string, modelVersionId: string): Promise<string[]> };
  deployments: { idsServing(organisationId: string, versionIds: readonly string[]): Promise<string[]> };
}

/** @throws ModelVersionNotFoundError */
export async function getModelVersion(
  { modelVersions, deployments, deploymentVersions }: LineageDependencies,
  organisationId: string,
  modelVersionId: string,
): Promise<VersionLineage> {
  const version = await modelVersions.find(organisationId, modelVersionId);
  if (!version) throw new ModelVersionNotFoundError(modelVersionId);
  const served = await deploymentVersions.idsOfModelVersion(organisationId, modelVersionId);
  return { version, deploymentIds: await deployments.idsServing(organisationId, served) };
}

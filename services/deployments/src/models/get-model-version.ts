import type { DeploymentsDependencies } from "../dependencies.ts";
import { type ModelVersion, ModelVersionNotFoundError } from "./model-version.ts";

/** A version with the deployments that serve it, or are to. */
export interface VersionLineage {
  version: ModelVersion;
  deploymentIds: string[];
}

/** One version and what has become of it. Throws ModelVersionNotFoundError. */
export async function getModelVersion(
  {
    modelVersions,
    deployments,
    deploymentVersions,
  }: Pick<DeploymentsDependencies, "modelVersions" | "deployments" | "deploymentVersions">,
  organisationId: string,
  modelVersionId: string,
): Promise<VersionLineage> {
  const version = await modelVersions.find(organisationId, modelVersionId);
  if (!version) throw new ModelVersionNotFoundError(modelVersionId);
  const served = await deploymentVersions.idsOfModelVersion(organisationId, modelVersionId);
  return { version, deploymentIds: await deployments.idsServing(organisationId, served) };
}

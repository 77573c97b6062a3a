import { NotFoundError } from "@aiplatform/service-kit/not-found";
import type { ArtifactStore } from "../artifacts/artifact-store.ts";
import { ModelVersionNotFoundError } from "../models/model-version.ts";
import type { ModelVersionStore } from "../models/model-version-store.ts";
import { type NamedArtifact, storedArtifact } from "./read-artifact.ts";

interface Dependencies {
  artifacts: Pick<ArtifactStore, "sizeOf">;
  modelVersions: Pick<ModelVersionStore, "find" | "ofJob">;
}

/** A job, and the pipeline that its run is said to be of. */
export interface JobOfPipeline {
  pipelineId: string;
  runId: string;
  jobName: string;
}

/** There is no artifact of that digest in the organisation. */
export class ArtifactNotFoundError extends NotFoundError {
  override name = "ArtifactNotFoundError";
}

/** @throws ArtifactNotFoundError */
export async function artifactOfDigest(
  { artifacts }: Pick<Dependencies, "artifacts">,
  organisationId: string,
  sha256: string,
): Promise<NamedArtifact> {
  const sizeBytes = await artifacts.sizeOf(organisationId, sha256);
  if (sizeBytes === undefined) throw new ArtifactNotFoundError(sha256);
  return { organisationId, sha256, sizeBytes, fileName: sha256 };
}

/** The artifact of a model version. @throws ModelVersionNotFoundError, ArtifactMissingError */
export async function artifactOfVersion(
  dependencies: Dependencies,
  organisationId: string,
  modelVersionId: string,
): Promise<NamedArtifact> {
  const version = await dependencies.modelVersions.find(organisationId, modelVersionId);
  if (!version) throw new ModelVersionNotFoundError(modelVersionId);
  const fileName = `version-${version.number}.${version.format}`;
  return await storedArtifact(dependencies.artifacts, { organisationId, sha256: version.artifactSha256, fileName });
}

/** The artifact of the version that a job's result became. @throws ModelVersionNotFoundError, ArtifactMissingError */
export async function resultOfJob(
  dependencies: Dependencies,
  organisationId: string,
  { pipelineId, ...job }: JobOfPipeline,
): Promise<NamedArtifact> {
  const version = await dependencies.modelVersions.ofJob(organisationId, job);
  if (version?.source?.pipelineId !== pipelineId) throw new ModelVersionNotFoundError(job.runId);
  const fileName = `${job.jobName}.${version.format}`;
  return await storedArtifact(dependencies.artifacts, { organisationId, sha256: version.artifactSha256, fileName });
}

import { ArtifactMissingError } from "../artifacts/artifact-store.ts";
import type { DeploymentsDependencies } from "../dependencies.ts";
import { ModelNotFoundError } from "./model.ts";
import { modelVersionCreated, modelVersionResolved } from "./model-events.ts";
import type { ModelVersion } from "./model-version.ts";

type Dependencies = Pick<
  DeploymentsDependencies,
  "models" | "modelVersions" | "artifacts" | "outbox" | "transaction" | "clock" | "newId"
>;

/**
 * Registers a version from an artifact that was uploaded; a ready version with the same bytes is answered instead. Throws
 * ModelNotFoundError, ArtifactMissingError.
 */
export async function createModelVersion(
  { models, modelVersions, artifacts, outbox, transaction, clock, newId }: Dependencies,
  wanted: Pick<ModelVersion, "organisationId" | "modelId" | "format" | "artifactSha256">,
): Promise<ModelVersion> {
  const { organisationId, modelId, artifactSha256 } = wanted;
  // A caller that does not have the model learns nothing of artifacts either.
  if (!(await models.find(organisationId, modelId))) throw new ModelNotFoundError(modelId);
  const sizeBytes = await artifacts.sizeOf(organisationId, artifactSha256);
  if (sizeBytes === undefined) throw new ArtifactMissingError(artifactSha256);
  return transaction(async (session) => {
    const known = await modelVersions.readyWith(organisationId, wanted, session);
    if (known) return known;
    // A concurrent registration of the same artifact conflicts here, and finds this one's version at its retry.
    const number = await models.takeNumber(organisationId, modelId, session);
    if (number === undefined) throw new ModelNotFoundError(modelId);
    const time = clock();
    const version = { id: newId(), ...wanted, number, status: "ready" as const, sizeBytes, createdAt: time };
    await modelVersions.insert(organisationId, version, session);
    await models.noteReady(organisationId, { ...version, time }, session);
    const resolution = { status: "ready" as const, sizeBytes };
    await outbox.stage(session, modelVersionCreated(version, time), modelVersionResolved(version, resolution, time));
    return version;
  });
}

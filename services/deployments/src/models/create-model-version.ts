import type { DomainPlatform } from "@aiplatform/service-kit";
import { ArtifactMissingError, type ArtifactStore } from "../artifacts/artifact-store.ts";
import { ModelNotFoundError } from "./model.ts";
import { modelVersionCreated, modelVersionResolved } from "./model-events.ts";
import type { ModelStore } from "./model-store.ts";
import type { ModelVersion } from "./model-version.ts";
import type { ModelVersionStore } from "./model-version-store.ts";

interface Dependencies extends Pick<DomainPlatform, "outbox" | "transaction" | "clock" | "newId"> {
  models: ModelStore;
  modelVersions: ModelVersionStore;
  artifacts: ArtifactStore;
}

/**
 * Registers a version from an artifact that was uploaded; a ready version with the same bytes is answered instead.
 * @throws ModelNotFoundError, ArtifactMissingError
 */
export async function createModelVersion(
  { models, modelVersions, artifacts, outbox, transaction, clock, newId }: Dependencies,
  spec: Pick<ModelVersion, "organisationId" | "modelId" | "format" | "artifactSha256">,
): Promise<ModelVersion> {
  const { organisationId, modelId, artifactSha256 } = spec;
  // A caller that does not have the model learns nothing of artifacts either.
  await models.get(organisationId, modelId);
  const sizeBytes = await artifacts.sizeOf(organisationId, artifactSha256);
  if (sizeBytes === undefined) throw new ArtifactMissingError(artifactSha256);
  return transaction(async (session) => {
    const known = await modelVersions.readyWith(organisationId, spec, session);
    if (known) return known;
    // A concurrent registration of the same artifact conflicts here, and finds this one's version at its retry.
    const number = await models.takeNumber(organisationId, modelId, session);
    if (number === undefined) throw new ModelNotFoundError(modelId);
    const time = clock();
    const version = { id: newId(), ...spec, number, status: "ready" as const, sizeBytes, createdAt: time };
    await modelVersions.insert(organisationId, version, session);
    await models.noteReady(organisationId, { ...version, time }, session);
    const resolution = { status: "ready" as const, sizeBytes };
    await outbox.stage(session, modelVersionCreated(version, time), modelVersionResolved(version, resolution, time));
    return version;
  });
}

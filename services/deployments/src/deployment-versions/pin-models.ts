import type { ClientSession } from "@aiplatform/document-store";
import type { ModelStore } from "../models/model-store.ts";
import { type ModelVersion, ModelVersionNotFoundError } from "../models/model-version.ts";
import type { ModelVersionStore } from "../models/model-version-store.ts";
import type { DeploymentVersion } from "./deployment-version.ts";

/** The model has no version that can be deployed, or the version that is asked for cannot be. */
export class ModelNotReadyError extends Error {
  override name = "ModelNotReadyError";
  readonly modelId: string;
  constructor(modelId: string, message = "The model has no ready version") {
    super(message);
    this.modelId = modelId;
  }
}

export interface PinDependencies {
  models: ModelStore;
  modelVersions: ModelVersionStore;
}

/** The newest ready version of each model, in their order. @throws ModelNotFoundError, then ModelNotReadyError */
export async function pinNewest(
  { models, modelVersions }: PinDependencies,
  organisationId: string,
  modelIds: readonly string[],
  session: ClientSession,
): Promise<ModelVersion[]> {
  for (const modelId of modelIds) await models.get(organisationId, modelId, session);
  const pinned: ModelVersion[] = [];
  for (const modelId of modelIds) {
    const version = await modelVersions.newestReady(organisationId, modelId, session);
    if (!version) throw new ModelNotReadyError(modelId);
    pinned.push(version);
  }
  return pinned;
}

/**
 * The version that is named for its model, the newest ready one for the others.
 * @throws ModelVersionNotFoundError where it is of none of the models, ModelNotReadyError
 */
async function pinNamed(
  dependencies: PinDependencies,
  organisationId: string,
  { modelIds, modelVersionId }: { modelIds: readonly string[]; modelVersionId: string },
  session: ClientSession,
): Promise<ModelVersion[]> {
  const named = await dependencies.modelVersions.find(organisationId, modelVersionId, session);
  if (!named || !modelIds.includes(named.modelId)) throw new ModelVersionNotFoundError(modelVersionId);
  if (named.status !== "ready") throw new ModelNotReadyError(named.modelId, "The version of the model is not ready");
  const others = modelIds.filter((modelId) => modelId !== named.modelId);
  const pinned = [named, ...(await pinNewest(dependencies, organisationId, others, session))];
  return modelIds.flatMap((modelId) => pinned.find((version) => version.modelId === modelId) ?? []);
}

/** The models of a version again. @throws ModelVersionNotFoundError, ModelNotFoundError, ModelNotReadyError */
export function pinAgain(
  dependencies: PinDependencies,
  { organisationId, models }: DeploymentVersion,
  modelVersionId: string | undefined,
  session: ClientSession,
): Promise<ModelVersion[]> {
  const modelIds = models.map(({ modelId }) => modelId);
  return modelVersionId === undefined
    ? pinNewest(dependencies, organisationId, modelIds, session)
    : pinNamed(dependencies, organisationId, { modelIds, modelVersionId }, session);
}

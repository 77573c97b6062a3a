import type { ClientSession } from "@aiplatform/document-store";
import type { DeploymentsDependencies } from "../dependencies.ts";
import { ModelNotFoundError } from "../models/model.ts";
import { type ModelVersion, ModelVersionNotFoundError } from "../models/model-version.ts";

/** The model has no version that can be deployed, or the version that is asked for cannot be. */
export class ModelNotReadyError extends Error {
  override name = "ModelNotReadyError";
  readonly modelId: string;
  constructor(modelId: string, message = "The model has no ready version") {
    super(message);
    this.modelId = modelId;
  }
}

type Dependencies = Pick<DeploymentsDependencies, "models" | "modelVersions">;

/** The newest ready version of each model, in their order. Throws ModelNotFoundError, then ModelNotReadyError. */
export async function pinNewest(
  { models, modelVersions }: Dependencies,
  organisationId: string,
  modelIds: readonly string[],
  session: ClientSession,
): Promise<ModelVersion[]> {
  for (const modelId of modelIds) {
    if (!(await models.find(organisationId, modelId, session))) throw new ModelNotFoundError(modelId);
  }
  const pinned: ModelVersion[] = [];
  for (const modelId of modelIds) {
    const version = await modelVersions.newestReady(organisationId, modelId, session);
    if (!version) throw new ModelNotReadyError(modelId);
    pinned.push(version);
  }
  return pinned;
}

/**
 * The version that is named for its model, the newest ready one for the others. Throws ModelVersionNotFoundError where it is of
 * none of the models, ModelNotReadyError.
 */
export async function pinNamed(
  dependencies: Dependencies,
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

import type { DeploymentsDependencies } from "../dependencies.ts";
import { type Model, ModelNotFoundError } from "./model.ts";

/** One model. Throws ModelNotFoundError. */
export async function getModel(
  { models }: Pick<DeploymentsDependencies, "models">,
  organisationId: string,
  modelId: string,
): Promise<Model> {
  const model = await models.find(organisationId, modelId);
  if (!model) throw new ModelNotFoundError(modelId);
  return model;
}

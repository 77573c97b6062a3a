import type { ClientSession } from "@aiplatform/document-store";
import type { DeploymentsDependencies } from "../dependencies.ts";
import { type Model, ModelLimitError, ModelNameTakenError, mostModels } from "./model.ts";
import { modelCreated } from "./model-events.ts";

type Dependencies = Pick<DeploymentsDependencies, "models" | "outbox" | "clock" | "newId">;

/**
 * Makes a model without a version. Throws ModelNameTakenError, and once there are as many models as there may be,
 * ModelLimitError: requests of the same instant may each find room for theirs.
 */
export async function createModel(
  { models, outbox, clock, newId }: Dependencies,
  wanted: Pick<Model, "organisationId" | "name" | "description" | "pipelineId">,
  session: ClientSession,
): Promise<Model> {
  const { organisationId, name, pipelineId } = wanted;
  const isByHand = pipelineId === undefined;
  if (isByHand && (await models.count(organisationId, session)) >= mostModels) throw new ModelLimitError();
  if ((await models.taken(organisationId, [name], session)).size > 0) throw new ModelNameTakenError(name);
  const time = clock();
  const model = { id: newId(), ...wanted, createdAt: time, updatedAt: time };
  await models.insert(organisationId, model, session);
  await outbox.stage(session, modelCreated(model, time));
  return model;
}

import type { ClientSession } from "@aiplatform/document-store";
import type { DomainPlatform } from "@aiplatform/service-kit";
import { type Model, ModelLimitError, ModelNameTakenError, maxModels } from "./model.ts";
import { modelCreated } from "./model-events.ts";
import type { ModelStore } from "./model-store.ts";

interface Dependencies extends Pick<DomainPlatform, "outbox" | "clock" | "newId"> {
  models: ModelStore;
}

/**
 * Makes a model without a version.
 * @throws ModelNameTakenError, and once there are as many models as there may be, ModelLimitError: requests of the same
 * instant may each find room for theirs
 */
export async function createModel(
  { models, outbox, clock, newId }: Dependencies,
  spec: Pick<Model, "organisationId" | "name" | "description" | "pipelineId">,
  session: ClientSession,
): Promise<Model> {
  const { organisationId, name, pipelineId } = spec;
  const isByHand = pipelineId === undefined;
  if (isByHand && (await models.count(organisationId, session)) >= maxModels) throw new ModelLimitError();
  if ((await models.taken(organisationId, [name], session)).size > 0) throw new ModelNameTakenError(name);
  const time = clock();
  const model = { id: newId(), ...spec, createdAt: time, updatedAt: time };
  await models.insert(organisationId, model, session);
  await outbox.stage(session, modelCreated(model, time));
  return model;
}

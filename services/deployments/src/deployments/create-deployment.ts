import type { ClientSession } from "@aiplatform/document-store";
import { type PinDependencies, pinNewest } from "../deployment-versions/pin-models.ts";
import { defaultRunConfig } from "../deployment-versions/run-config.ts";
import { planOfModel } from "../deployment-versions/version-plan.ts";
import { ModelNotFoundError } from "../models/model.ts";
import { type AddDependencies, addDeployment } from "./add-deployment.ts";
import type { Deployment } from "./deployment.ts";
import { serviceNameOf } from "./service-name.ts";

interface Dependencies extends AddDependencies, PinDependencies {
  /** From the lowest to the highest. */
  environments: readonly string[];
}

/** Deploys the newest ready version of a model. @throws ModelNotFoundError, ModelNotReadyError, QuotaExceededError */
export async function createDeployment(
  dependencies: Dependencies,
  { organisationId, modelId }: { organisationId: string; modelId: string },
  session: ClientSession,
): Promise<Deployment> {
  const [version] = await pinNewest(dependencies, organisationId, [modelId], session);
  const model = await dependencies.models.get(organisationId, modelId, session);
  if (!version) throw new ModelNotFoundError(modelId);
  const spec = {
    organisationId,
    name: model.name,
    description: model.description,
    environment: dependencies.environments[0] ?? "",
    runConfigText: undefined,
    lowerEnvDeploymentId: undefined,
    serviceName: serviceNameOf(model.name),
    plan: planOfModel(version, defaultRunConfig),
  };
  return addDeployment(dependencies, spec, session);
}

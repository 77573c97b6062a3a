import type { ClientSession } from "@aiplatform/document-store";
import type { DeploymentsDependencies } from "../dependencies.ts";
import { ModelNotFoundError } from "../models/model.ts";
import { type AddDependencies, addDeployment } from "./add-deployment.ts";
import type { Deployment } from "./deployment.ts";
import { pinNewest } from "./pin-models.ts";
import { usualRunConfig } from "./run-config.ts";
import { serviceNameOf } from "./service-name.ts";
import { planOfModel } from "./version-plan.ts";

type Dependencies = AddDependencies & Pick<DeploymentsDependencies, "models" | "modelVersions" | "environments">;

/** Deploys the newest ready version of a model. Throws ModelNotFoundError, ModelNotReadyError, DeploymentLimitError. */
export async function createDeployment(
  dependencies: Dependencies,
  { organisationId, modelId }: { organisationId: string; modelId: string },
  session: ClientSession,
): Promise<Deployment> {
  const [version] = await pinNewest(dependencies, organisationId, [modelId], session);
  const model = await dependencies.models.find(organisationId, modelId, session);
  if (!model || !version) throw new ModelNotFoundError(modelId);
  const wanted = {
    organisationId,
    name: model.name,
    description: model.description,
    environment: dependencies.environments[0] ?? "",
    runConfigText: undefined,
    lowerEnvDeploymentId: undefined,
    serviceName: serviceNameOf(model.name),
    plan: planOfModel(version, usualRunConfig),
  };
  return addDeployment(dependencies, wanted, session);
}

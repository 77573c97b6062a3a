import type { ClientSession } from "@aiplatform/document-store";
import type { DeploymentsDependencies } from "../dependencies.ts";
import { type AddDependencies, addDeployment } from "./add-deployment.ts";
import type { Deployment } from "./deployment.ts";
import { planBundle, type StoredBundle } from "./plan-bundle.ts";
import { usualRunConfig } from "./run-config.ts";
import { serviceNameOf } from "./service-name.ts";

type Dependencies = AddDependencies &
  Pick<DeploymentsDependencies, "models" | "modelVersions" | "knownDatasets" | "environments">;

/** What is wanted: a bundle whose contents are stored. */
export interface NewCustomServing
  extends Pick<Deployment, "organisationId" | "name" | "description" | "runConfigText"> {
  bundle: StoredBundle;
}

/** Deploys a bundle. Throws UnknownDatasetError, ModelNotFoundError, ModelNotReadyError, DeploymentLimitError. */
export async function createCustomServingDeployment(
  dependencies: Dependencies,
  { bundle, ...wanted }: NewCustomServing,
  session: ClientSession,
): Promise<Deployment> {
  const runConfig = bundle.runConfig ?? usualRunConfig;
  const plan = await planBundle(dependencies, wanted.organisationId, { ...bundle, runConfig }, session);
  const environment = dependencies.environments[0] ?? "";
  const serviceName = serviceNameOf(wanted.name);
  return addDeployment(
    dependencies,
    { ...wanted, environment, serviceName, plan, lowerEnvDeploymentId: undefined },
    session,
  );
}

import type { ClientSession } from "@aiplatform/document-store";
import { type PlanBundleDependencies, planBundle, type StoredBundle } from "../bundles/plan-bundle.ts";
import { defaultRunConfig } from "../deployment-versions/run-config.ts";
import { type AddDependencies, addDeployment } from "./add-deployment.ts";
import type { Deployment } from "./deployment.ts";
import { serviceNameOf } from "./service-name.ts";

export interface CreateCustomServingDependencies extends AddDependencies, PlanBundleDependencies {
  /** From the lowest to the highest. */
  environments: readonly string[];
}

/** The bundle is stored already. */
export interface NewCustomServing
  extends Pick<Deployment, "organisationId" | "name" | "description" | "runConfigText"> {
  bundle: StoredBundle;
}

/** Deploys a bundle. @throws UnknownDatasetError, ModelNotFoundError, ModelNotReadyError, QuotaExceededError */
export async function createCustomServingDeployment(
  dependencies: CreateCustomServingDependencies,
  { bundle, ...spec }: NewCustomServing,
  session: ClientSession,
): Promise<Deployment> {
  const runConfig = bundle.runConfig ?? defaultRunConfig;
  const plan = await planBundle(dependencies, spec.organisationId, { ...bundle, runConfig }, session);
  const environment = dependencies.environments[0] ?? "";
  const serviceName = serviceNameOf(spec.name);
  return addDeployment(
    dependencies,
    { ...spec, environment, serviceName, plan, lowerEnvDeploymentId: undefined },
    session,
  );
}

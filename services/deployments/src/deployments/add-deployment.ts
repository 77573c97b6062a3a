import type { ClientSession } from "@aiplatform/document-store";
import { addDeploymentVersion } from "../deployment-versions/add-deployment-version.ts";
import type { VersionPlan } from "../deployment-versions/version-plan.ts";
import { queuedRollout } from "../rollouts/rollout.ts";
import type { ChangeDependencies } from "./change-deployment.ts";
import type { Deployment } from "./deployment.ts";
import { deploymentCreated } from "./deployment-events.ts";
import { instanceMemory } from "./instance-memory.ts";
import { serviceNames } from "./service-name.ts";

export interface NewDeployment
  extends Pick<
    Deployment,
    "organisationId" | "name" | "description" | "environment" | "runConfigText" | "lowerEnvDeploymentId"
  > {
  /** To be numbered where it is taken. */
  serviceName: string;
  /** Name under which the protocol knows the model; its service name when absent. */
  modelName?: string;
  plan: VersionPlan;
}

export type AddDependencies = Omit<ChangeDependencies, "changes">;

/**
 * Makes a deployment whose first rollout is queued.
 * @throws QuotaExceededError
 */
export async function addDeployment(
  dependencies: AddDependencies,
  { serviceName: preferredName, modelName, plan, ...given }: NewDeployment,
  session: ClientSession,
): Promise<Deployment> {
  const { deployments, rollouts, quotas, outbox, clock, newId, notifyReconciler } = dependencies;
  const { organisationId } = given;
  const nothingYet = { desiredState: "serve" as const, currentVersionId: undefined, canary: undefined };
  const memory = instanceMemory({ ...nothingYet, runConfig: plan.runConfig }, new Map());
  await quotas.admit(organisationId, { deployments: 1, instance_memory_mb: memory }, session);
  const [id, time] = [newId(), clock()];
  const serviceName = await freeName(dependencies, organisationId, serviceNames(preferredName, id), session);
  const owner = { organisationId, deploymentId: id, modelName: modelName ?? serviceName };
  const version = await addDeploymentVersion(dependencies, owner, { plan, known: [] }, session);
  const rollout = queuedRollout({ id: newId(), organisationId, deploymentId: id, versionId: version.id }, time);
  const deployment: Deployment = {
    ...given,
    id,
    serviceName,
    modelId: plan.models[0]?.modelId,
    modelVersionId: version.modelVersionId,
    status: "Pending",
    annotations: "{}",
    runConfig: plan.runConfig,
    desiredState: "serve",
    generation: 1,
    currentVersionId: undefined,
    targetModelVersionId: version.modelVersionId,
    rollout: { id: rollout.id, versionId: version.id, status: rollout.status, error: undefined, queuedAt: time },
    canary: undefined,
    endpoints: [],
    instances: [],
    wakeRequestedAt: undefined,
    higherEnvDeploymentId: undefined,
    createdAt: time,
    updatedAt: time,
  };
  await deployments.insert(organisationId, deployment, session);
  await rollouts.insert(organisationId, rollout, session);
  await outbox.stage(session, deploymentCreated(deployment, time));
  session.once("ended", () => notifyReconciler?.({ organisationId, deploymentId: id }));
  return deployment;
}

async function freeName(
  { deployments }: Pick<AddDependencies, "deployments">,
  organisationId: string,
  names: string[],
  session: ClientSession,
): Promise<string> {
  const taken = await deployments.takenAmong(organisationId, names, session);
  return names.find((name) => !taken.has(name)) ?? names.at(-1) ?? "";
}

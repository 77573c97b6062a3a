import type { ClientSession } from "@aiplatform/document-store";
import type { DeploymentVersion } from "../deployment-versions/deployment-version.ts";
import { planOfVersion } from "../deployment-versions/version-plan.ts";
import { addDeployment } from "./add-deployment.ts";
import { type ChangeDependencies, changeDeployment } from "./change-deployment.ts";
import type { Deployment, DeploymentRef } from "./deployment.ts";
import { EnvironmentNotHigherError, higherEnvironment } from "./environments.ts";
import { plannedVersion, queueRollout, targetVersion } from "./plan-rollout.ts";
import { serviceNameOf } from "./service-name.ts";
import { isTransitionNeeded, NothingServesError } from "./transitions.ts";

/** Which deployment, and where to: the next higher environment unless one is named. */
export interface Promotion extends DeploymentRef {
  environment: string | undefined;
}

/**
 * Deploys what serves in a higher environment too, and links the two; where they are linked already, rolls it out
 * there. Answers the deployment there.
 * @throws DeploymentNotFoundError, DeploymentTransitionError, NothingServesError, EnvironmentNotHigherError,
 * InvalidFieldsError, QuotaExceededError
 */
export async function promoteDeployment(
  dependencies: ChangeDependencies,
  { environment, ...ref }: Promotion,
  session: ClientSession,
): Promise<Deployment> {
  const { deployments, environments } = dependencies;
  const source = await deployments.get(ref, session);
  isTransitionNeeded("promote", source);
  const { currentVersionId, higherEnvDeploymentId: linkedId } = source;
  if (currentVersionId === undefined) throw new NothingServesError(source.id);
  const version = await dependencies.deploymentVersions.get(source, currentVersionId, session);
  const linked = linkedId === undefined ? undefined : await deployments.find(source.organisationId, linkedId, session);
  const to = higherEnvironment(environments, { from: source.environment, to: environment ?? linked?.environment });
  if (!linked) return deployAbove(dependencies, { source, version, environment: to }, session);
  if (linked.environment === to) return rollOutAbove(dependencies, { linked, version }, session);
  const message = `The deployment is in ${linked.environment} already: promote it from there`;
  throw new EnvironmentNotHigherError(to, message);
}

async function deployAbove(
  dependencies: ChangeDependencies,
  { source, version, environment }: { source: Deployment; version: DeploymentVersion; environment: string },
  session: ClientSession,
): Promise<Deployment> {
  const { organisationId, name, description, runConfigText } = source;
  const made = await addDeployment(
    dependencies,
    {
      organisationId,
      name,
      description,
      runConfigText,
      environment,
      lowerEnvDeploymentId: source.id,
      serviceName: serviceNameOf(`${name} ${environment}`),
      modelName: version.modelName,
      plan: planOfVersion(version),
    },
    session,
  );
  const linked = { ...source, higherEnvDeploymentId: made.id, updatedAt: made.createdAt };
  await dependencies.deployments.write(organisationId, linked, source.generation, session);
  session.once("ended", () => dependencies.changes.notify(source.id));
  return made;
}

function rollOutAbove(
  dependencies: ChangeDependencies,
  { linked, version }: { linked: Deployment; version: DeploymentVersion },
  session: ClientSession,
): Promise<Deployment> {
  const ref = { organisationId: linked.organisationId, deploymentId: linked.id, mayPromote: true };
  return changeDeployment(
    dependencies,
    { ...ref, action: "roll_out" },
    async (deployment) => {
      const former = await targetVersion(dependencies, deployment, session);
      const plan = planOfVersion(version);
      const promoted = await plannedVersion(dependencies, deployment, { plan, former }, session);
      const next = { ...deployment, runConfig: plan.runConfig };
      return { ...queueRollout(dependencies, next, promoted), as: "promoted" };
    },
    session,
  );
}

import {
  type CustomServingDeployment,
  DeploymentStatus,
  RolloutStatus,
} from "@aiplatform/contract/aiplatform/deployments/v1/deployments";
import type { Members } from "../../json-object.ts";
import { type StepContext, type StepDependencies, StepFailedError, type StepOutcome, type StepWork } from "../step.ts";
import { delegatedCall } from "./delegated-call.ts";

/** A rollout that the step has begun. */
interface BegunRollout {
  deploymentId: string;
  rolloutId: string;
}

/** Events make it prompt, this makes it certain, ms. */
const lookAgainMs = 5_000;

/** Deploys a model, or begins a rollout of a deployment; once. Waits for how the rollout ends unless it is not to. */
export const deploy: StepWork = async (dependencies, context) => {
  const { state, members } = context;
  const known = state && begunRolloutOf(state);
  if (known) return await lookAtRollout(dependencies, context, known);
  const begun = await begin(dependencies, context);
  if (members["wait"] === false) return { output: { deployment_id: begun.deploymentId, rollout_id: begun.rolloutId } };
  // What was begun is kept before anything is asked of it.
  return { waitsFor: begun.deploymentId, state: { ...begun }, lookAgainMs: 0 };
};

async function begin(dependencies: StepDependencies, context: StepContext): Promise<BegunRollout> {
  const { members, effectId: idempotencyKey } = context;
  const { deployments } = dependencies.peers;
  const call = delegatedCall(dependencies, context);
  const [modelId, versionId] = [idOf(members, "model_id"), idOf(members, "model_version_id")];
  const deploymentId = idOf(members, "deployment_id");
  if (deploymentId !== undefined) {
    const version = versionId === undefined ? {} : { modelVersionId: versionId };
    const { deployment } = await deployments.startRollout({ deploymentId, ...version, idempotencyKey }, call);
    return { deploymentId, rolloutId: deployment?.rolloutRequestId ?? "" };
  }
  const { deployment: made } = await deployments.createDeployment({ modelId: modelId ?? "", idempotencyKey }, call);
  const { deployment } = await deployments.getDeployment({ deploymentId: made?.id ?? "" }, call);
  return { deploymentId: made?.id ?? "", rolloutId: deployment?.rolloutRequestId ?? "" };
}

async function lookAtRollout(
  dependencies: StepDependencies,
  context: StepContext,
  begun: BegunRollout,
): Promise<StepOutcome> {
  const { deploymentId, rolloutId } = begun;
  const { deployments } = dependencies.peers;
  const { deployment } = await deployments.getDeployment({ deploymentId }, delegatedCall(dependencies, context));
  if (!deployment) throw new StepFailedError(`There is no deployment ${deploymentId}`);
  if (deployment.rolloutRequestId !== rolloutId) {
    throw new StepFailedError("Another rollout was asked for before this one was seen to end");
  }
  switch (deployment.rolloutStatus) {
    case RolloutStatus.SUCCEEDED:
      return { output: outputOf(deployment), label: "completed" };
    case RolloutStatus.FAILED:
      throw new StepFailedError(`The rollout failed: ${deployment.rolloutError ?? "without a reason"}`);
    case RolloutStatus.SUPERSEDED:
    case RolloutStatus.ROLLED_BACK:
      throw new StepFailedError("The rollout was given up for another");
    default:
      return { waitsFor: deploymentId, state: { ...begun }, lookAgainMs };
  }
}

function outputOf(deployment: CustomServingDeployment): Members {
  return {
    deployment_id: deployment.id,
    name: deployment.name,
    service_name: deployment.serviceName,
    status: statusName(deployment.status),
    rollout_id: deployment.rolloutRequestId,
    version_id: deployment.currentDeploymentVersionId ?? null,
    model_id: deployment.modelId ?? null,
    model_version_id: deployment.modelVersionId ?? null,
  };
}

/** `Running` */
function statusName(status: DeploymentStatus): string {
  const name = DeploymentStatus[status];
  return name.charAt(0) + name.slice(1).toLowerCase();
}

function begunRolloutOf({ deploymentId, rolloutId }: Members): BegunRollout | undefined {
  return typeof deploymentId === "string" && typeof rolloutId === "string" ? { deploymentId, rolloutId } : undefined;
}

function idOf(members: Members, name: string): string | undefined {
  const value = members[name];
  return typeof value === "string" && value.trim() !== "" ? value.trim().toLowerCase() : undefined;
}

import {
  type CustomServingDeployment,
  DeploymentStatus,
  RolloutStatus,
} from "@aiplatform/contract/aiplatform/deployments/v1/deployments";
import type { JsonRecord } from "../../json-object.ts";
import { idField, idIn, notExactlyOne } from "../step-fields.ts";
import { delegatedCall, type StepContext, type StepHandler, type StepServices } from "../step-handler.ts";
import { StepFailedError } from "../step-outcome.ts";
import { beginsOnce, type EndedOutcome } from "../waiting-step.ts";

/** A rollout that the step has begun. */
interface BegunRollout {
  deploymentId: string;
  rolloutId: string;
}

/** Deploys a model, or begins a rollout of a deployment; once. Waits for how the rollout ends unless it is not to. */
export const deploy: StepHandler = {
  fields: {
    model_id: idField,
    deployment_id: idField,
    model_version_id: idField,
    promote: { kind: "flag" },
    wait: { kind: "flag" },
  },
  check: (fields, place) => notExactlyOne(fields, place, ["model_id", "deployment_id"]),
  // Above the lowest environment a rollout is a promotion.
  permissions: ({ promote }) => [
    ...["deployments:read", "deployments:write"],
    ...(promote === true ? ["deployments:promote"] : []),
  ],
  execute: beginsOnce({
    kept: begunRolloutOf,
    begin,
    observe: observeRollout,
    waitsFor: ({ deploymentId }) => deploymentId,
    named: ({ deploymentId, rolloutId }) => ({ deployment_id: deploymentId, rollout_id: rolloutId }),
  }),
};

async function begin(services: StepServices, context: StepContext): Promise<BegunRollout> {
  const { fields, effectId: idempotencyKey } = context;
  const { deployments } = services.clients;
  const call = delegatedCall(services, context);
  const [modelId, versionId] = [idIn(fields, "model_id"), idIn(fields, "model_version_id")];
  const deploymentId = idIn(fields, "deployment_id");
  if (deploymentId !== undefined) {
    const version = versionId === undefined ? {} : { modelVersionId: versionId };
    const { deployment } = await deployments.startRollout({ deploymentId, ...version, idempotencyKey }, call);
    return { deploymentId, rolloutId: deployment?.rolloutRequestId ?? "" };
  }
  const { deployment: made } = await deployments.createDeployment({ modelId: modelId ?? "", idempotencyKey }, call);
  const { deployment } = await deployments.getDeployment({ deploymentId: made?.id ?? "" }, call);
  return { deploymentId: made?.id ?? "", rolloutId: deployment?.rolloutRequestId ?? "" };
}

async function observeRollout(
  services: StepServices,
  context: StepContext,
  { deploymentId, rolloutId }: BegunRollout,
): Promise<EndedOutcome | undefined> {
  const { deployments } = services.clients;
  const { deployment } = await deployments.getDeployment({ deploymentId }, delegatedCall(services, context));
  if (!deployment) throw new StepFailedError(`There is no deployment ${deploymentId}`);
  if (deployment.rolloutRequestId !== rolloutId) {
    throw new StepFailedError("Another rollout was requested before this one ended");
  }
  switch (deployment.rolloutStatus) {
    case RolloutStatus.SUCCEEDED:
      return { output: outputOf(deployment), label: "completed" };
    case RolloutStatus.FAILED:
      throw new StepFailedError(`The rollout failed: ${deployment.rolloutError ?? "without a reason"}`);
    case RolloutStatus.SUPERSEDED:
    case RolloutStatus.ROLLED_BACK:
      throw new StepFailedError("The rollout was superseded or rolled back");
    default:
      return undefined;
  }
}

function outputOf(deployment: CustomServingDeployment): JsonRecord {
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

function begunRolloutOf({ deploymentId, rolloutId }: JsonRecord): BegunRollout | undefined {
  return typeof deploymentId === "string" && typeof rolloutId === "string" ? { deploymentId, rolloutId } : undefined;
}

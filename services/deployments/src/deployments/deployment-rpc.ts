import { callerOf } from "@aiplatform/caller-identity";
import { DeploymentService } from "@aiplatform/contract/aiplatform/deployments/v1/deployments";
import { replayable } from "@aiplatform/service-host";
import type { ConnectRouter, ServiceImpl } from "@connectrpc/connect";
import type { DeploymentsDependencies } from "../dependencies.ts";
import { createCustomServingDeployment } from "./create-custom-serving-deployment.ts";
import { createDeployment } from "./create-deployment.ts";
import { deleteDeployment } from "./delete-deployment.ts";
import { customServingMessage, deploymentMessage } from "./deployment-messages.ts";
import { deploymentReads } from "./deployment-reads-rpc.ts";
import { bundleOf, idOf, refOf, triedOf } from "./deployment-requests.ts";
import { endCanary } from "./end-canary.ts";
import { storeBundle } from "./plan-bundle.ts";
import { promoteDeployment } from "./promote-deployment.ts";
import { rollBackDeployment } from "./roll-back-deployment.ts";
import { setCanary } from "./set-canary.ts";
import { startDeployment } from "./start-deployment.ts";
import { startRollout } from "./start-rollout.ts";
import { stopDeployment } from "./stop-deployment.ts";
import { updateCustomServingDeployment } from "./update-custom-serving-deployment.ts";

type Methods = ServiceImpl<typeof DeploymentService>;

/** Serves DeploymentService. */
export function deploymentRoutes(router: ConnectRouter, dependencies: DeploymentsDependencies): void {
  router.service(DeploymentService, {
    ...creations(dependencies),
    ...rollouts(dependencies),
    ...changes(dependencies),
    ...deploymentReads(dependencies),
  });
}

function creations(
  dependencies: DeploymentsDependencies,
): Pick<Methods, "createDeployment" | "createCustomServingDeployment" | "promoteDeployment"> {
  const { replays } = dependencies;
  const { method } = DeploymentService;
  return {
    createDeployment: (request, context) =>
      replayable(replays, method.createDeployment, { request, context }, async (session) => {
        const wanted = { organisationId: callerOf(context).organisationId, modelId: idOf(request.modelId ?? "") };
        return { deployment: deploymentMessage(await createDeployment(dependencies, wanted, session)) };
      }),
    async createCustomServingDeployment(request, context) {
      const { organisationId } = callerOf(context);
      const asked = bundleOf(request);
      const { name = "", description } = request;
      const bundle = await storeBundle(dependencies, organisationId, asked);
      const wanted = { organisationId, name, description, bundle, runConfigText: asked.runConfigText };
      return replayable(replays, method.createCustomServingDeployment, { request, context }, async (session) => {
        return { deployment: customServingMessage(await createCustomServingDeployment(dependencies, wanted, session)) };
      });
    },
    promoteDeployment: (request, context) =>
      replayable(replays, method.promoteDeployment, { request, context }, async (session) => {
        const wanted = { ...refOf(request, context), environment: request.environment };
        return { deployment: customServingMessage(await promoteDeployment(dependencies, wanted, session)) };
      }),
  };
}

function rollouts(
  dependencies: DeploymentsDependencies,
): Pick<Methods, "startRollout" | "updateCustomServingDeployment" | "rollBackDeployment"> {
  const { replays, transaction } = dependencies;
  const { method } = DeploymentService;
  return {
    startRollout: (request, context) =>
      replayable(replays, method.startRollout, { request, context }, async (session) => {
        const modelVersionId = request.modelVersionId && idOf(request.modelVersionId);
        const wanted = { ...refOf(request, context), modelVersionId };
        return { deployment: customServingMessage(await startRollout(dependencies, wanted, session)) };
      }),
    async updateCustomServingDeployment(request, context) {
      const ref = refOf(request, context);
      const asked = bundleOf(request);
      const bundle = await storeBundle(dependencies, ref.organisationId, asked);
      const wanted = { ...ref, bundle, runConfigText: asked.runConfigText };
      const updated = await transaction((session) => updateCustomServingDeployment(dependencies, wanted, session));
      return { deployment: customServingMessage(updated) };
    },
    rollBackDeployment: (request, context) =>
      replayable(replays, method.rollBackDeployment, { request, context }, async (session) => {
        const versionId = request.deploymentVersionId && idOf(request.deploymentVersionId);
        const wanted = { ...refOf(request, context), versionId };
        return { deployment: customServingMessage(await rollBackDeployment(dependencies, wanted, session)) };
      }),
  };
}

function changes(
  dependencies: DeploymentsDependencies,
): Pick<Methods, "setCanary" | "endCanary" | "stopDeployment" | "startDeployment" | "deleteDeployment"> {
  const { transaction } = dependencies;
  return {
    async setCanary(request, context) {
      const { percent = 0 } = request;
      const wanted = { ...refOf(request, context), tried: triedOf(request), percent };
      const changed = await transaction((session) => setCanary(dependencies, wanted, session));
      return { deployment: customServingMessage(changed) };
    },
    async endCanary(request, context) {
      const changed = await transaction((session) => endCanary(dependencies, refOf(request, context), session));
      return { deployment: customServingMessage(changed) };
    },
    async stopDeployment(request, context) {
      const changed = await transaction((session) => stopDeployment(dependencies, refOf(request, context), session));
      return { deployment: customServingMessage(changed) };
    },
    async startDeployment(request, context) {
      const changed = await transaction((session) => startDeployment(dependencies, refOf(request, context), session));
      return { deployment: customServingMessage(changed) };
    },
    async deleteDeployment(request, context) {
      const changed = await transaction((session) => deleteDeployment(dependencies, refOf(request, context), session));
      return { deployment: customServingMessage(changed) };
    },
  };
}

import { callerOf } from "@aiplatform/caller-identity";
import { DeploymentService } from "@aiplatform/contract/aiplatform/deployments/v1/deployments";
import { idempotent } from "@aiplatform/service-host";
import type { DomainPlatform } from "@aiplatform/service-kit";
import type { ServiceImpl } from "@connectrpc/connect";
import { bundleOf } from "../bundles/bundle-message.ts";
import { type StoreBundleDependencies, storeBundle } from "../bundles/plan-bundle.ts";
import { deploymentVersionMessage } from "../deployment-versions/deployment-version-message.ts";
import { rolloutMessage } from "../rollouts/rollout-message.ts";
import {
  type CreateCustomServingDependencies,
  createCustomServingDeployment,
} from "./create-custom-serving-deployment.ts";
import { createDeployment } from "./create-deployment.ts";
import { deleteDeployment } from "./delete-deployment.ts";
import type { Deployment } from "./deployment.ts";
import { candidateOf, customServingMessage, deploymentMessage, promotableRefOf, refOf } from "./deployment-message.ts";
import { endCanary } from "./end-canary.ts";
import { promoteDeployment } from "./promote-deployment.ts";
import { rollBackDeployment } from "./roll-back-deployment.ts";
import { setCanary } from "./set-canary.ts";
import { startDeployment } from "./start-deployment.ts";
import { type RolloutDependencies, startRollout } from "./start-rollout.ts";
import { stopDeployment } from "./stop-deployment.ts";
import { updateCustomServingDeployment } from "./update-custom-serving-deployment.ts";
import { watchDeployment } from "./watch-deployment.ts";

interface Dependencies
  extends RolloutDependencies,
    CreateCustomServingDependencies,
    StoreBundleDependencies,
    Pick<DomainPlatform, "idempotency" | "transaction"> {}

type Methods = ServiceImpl<typeof DeploymentService>;
type Reads =
  | "listDeployments"
  | "getDeployment"
  | "watchDeployment"
  | "listDeploymentVersions"
  | "listRollouts"
  | "listDatasetUses";
type Creations = "createDeployment" | "createCustomServingDeployment" | "promoteDeployment";
type Rollouts = "startRollout" | "updateCustomServingDeployment" | "rollBackDeployment";
type Changes = "setCanary" | "endCanary" | "stopDeployment" | "startDeployment" | "deleteDeployment";

/** All RPCs of DeploymentService but those about where predictions are answered. */
export function deploymentMethods(dependencies: Dependencies): Pick<Methods, Reads | Creations | Rollouts | Changes> {
  return { ...reads(dependencies), ...creations(dependencies), ...rollouts(dependencies), ...changes(dependencies) };
}

function reads(dependencies: Dependencies): Pick<Methods, Reads> {
  const { deployments, deploymentVersions, rollouts } = dependencies;
  return {
    async listDeployments({ limit = 100, ...request }, context) {
      const { organisationId } = callerOf(context);
      const { items, nextCursor } = await deployments.list(organisationId, { ...request, limit });
      return { deployments: items.map(customServingMessage), nextCursor };
    },
    async getDeployment(request, context) {
      return answer(await deployments.get(refOf(request, context)));
    },
    async *watchDeployment(request, context) {
      const states = watchDeployment(dependencies, refOf(request, context), context.signal);
      for await (const deployment of states) yield answer(deployment);
    },
    async listDeploymentVersions({ limit = 100, ...request }, context) {
      const { organisationId, id: deploymentId } = await deployments.get(refOf(request, context));
      const { items, nextCursor } = await deploymentVersions.list(organisationId, { ...request, deploymentId, limit });
      return { versions: items.map(deploymentVersionMessage), nextCursor };
    },
    async listRollouts({ limit = 100, ...request }, context) {
      const { organisationId, id: deploymentId } = await deployments.get(refOf(request, context));
      const { items, nextCursor } = await rollouts.list(organisationId, { ...request, deploymentId, limit });
      return { rollouts: items.map(rolloutMessage), nextCursor };
    },
    async listDatasetUses({ datasetId }, context) {
      const { organisationId } = callerOf(context);
      const versionIds = await deploymentVersions.idsOfDataset(organisationId, datasetId);
      return { deploymentIds: await deployments.idsServing(organisationId, versionIds) };
    },
  };
}

function creations(dependencies: Dependencies): Pick<Methods, Creations> {
  const { idempotency } = dependencies;
  const { method } = DeploymentService;
  return {
    createDeployment: (request, context) =>
      idempotent(idempotency, method.createDeployment, { request, context }, async (session) => {
        const { organisationId } = callerOf(context);
        const spec = { organisationId, modelId: request.modelId ?? "" };
        return { deployment: deploymentMessage(await createDeployment(dependencies, spec, session)) };
      }),
    async createCustomServingDeployment(request, context) {
      const { organisationId } = callerOf(context);
      const asked = bundleOf(request);
      const { name = "", description } = request;
      const bundle = await storeBundle(dependencies, organisationId, asked);
      const spec = { organisationId, name, description, bundle, runConfigText: asked.runConfigText };
      return idempotent(idempotency, method.createCustomServingDeployment, { request, context }, async (session) =>
        answer(await createCustomServingDeployment(dependencies, spec, session)),
      );
    },
    promoteDeployment: (request, context) =>
      idempotent(idempotency, method.promoteDeployment, { request, context }, async (session) => {
        const promotion = { ...refOf(request, context), environment: request.environment };
        return answer(await promoteDeployment(dependencies, promotion, session));
      }),
  };
}

function rollouts(dependencies: Dependencies): Pick<Methods, Rollouts> {
  const { idempotency, transaction } = dependencies;
  const { method } = DeploymentService;
  return {
    startRollout: (request, context) =>
      idempotent(idempotency, method.startRollout, { request, context }, async (session) => {
        const modelVersionId = request.modelVersionId;
        return answer(
          await startRollout(dependencies, { ...promotableRefOf(request, context), modelVersionId }, session),
        );
      }),
    async updateCustomServingDeployment(request, context) {
      const ref = promotableRefOf(request, context);
      const asked = bundleOf(request);
      const bundle = await storeBundle(dependencies, ref.organisationId, asked);
      const update = { ...ref, bundle, runConfigText: asked.runConfigText };
      return answer(await transaction((session) => updateCustomServingDeployment(dependencies, update, session)));
    },
    rollBackDeployment: (request, context) =>
      idempotent(idempotency, method.rollBackDeployment, { request, context }, async (session) => {
        const versionId = request.deploymentVersionId;
        return answer(
          await rollBackDeployment(dependencies, { ...promotableRefOf(request, context), versionId }, session),
        );
      }),
  };
}

function changes(dependencies: Dependencies): Pick<Methods, Changes> {
  const { transaction } = dependencies;
  return {
    async setCanary(request, context) {
      const { percent = 0 } = request;
      const canary = { ...promotableRefOf(request, context), candidate: candidateOf(request), percent };
      return answer(await transaction((session) => setCanary(dependencies, canary, session)));
    },
    endCanary: async (request, context) =>
      answer(await transaction((session) => endCanary(dependencies, refOf(request, context), session))),
    stopDeployment: async (request, context) =>
      answer(await transaction((session) => stopDeployment(dependencies, refOf(request, context), session))),
    startDeployment: async (request, context) =>
      answer(await transaction((session) => startDeployment(dependencies, refOf(request, context), session))),
    deleteDeployment: async (request, context) =>
      answer(await transaction((session) => deleteDeployment(dependencies, refOf(request, context), session))),
  };
}

function answer(deployment: Deployment) {
  return { deployment: customServingMessage(deployment) };
}

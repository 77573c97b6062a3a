import { callerOf } from "@aiplatform/caller-identity";
import type { DeploymentService } from "@aiplatform/contract/aiplatform/deployments/v1/deployments";
import type { ServiceImpl } from "@connectrpc/connect";
import type { DeploymentsDependencies } from "../dependencies.ts";
import { customServingMessage, rolloutMessage, servingStateMessage, versionMessage } from "./deployment-messages.ts";
import { refOf } from "./deployment-requests.ts";
import { getDeployment } from "./get-deployment.ts";
import { resolvePredictionRoute } from "./resolve-prediction-route.ts";
import { getServingState } from "./serving-state.ts";
import { watchDeployment } from "./watch-deployment.ts";

/** Longest wait for an instance to be started, ms; less when the caller has less time. */
const longestWaitMs = 30_000;
/** How long the answer may take on its way back, ms. */
const answerMs = 250;
/** How long a route may be used without asking again, ms: a version that was replaced goes on for longer. */
const routeValidMs = 2_000;

type Reads =
  | "listDeployments"
  | "getDeployment"
  | "watchDeployment"
  | "getServingState"
  | "listDeploymentVersions"
  | "listRollouts"
  | "resolvePredictionRoute";

/** The RPCs that wish nothing. */
export function deploymentReads(
  dependencies: DeploymentsDependencies,
): Pick<ServiceImpl<typeof DeploymentService>, Reads> {
  return {
    async listDeployments({ limit = 100, cursor }, context) {
      const { organisationId } = callerOf(context);
      const { items, nextCursor } = await dependencies.deployments.list(organisationId, { limit, cursor });
      return { deployments: items.map(customServingMessage), nextCursor };
    },
    async getDeployment(request, context) {
      return { deployment: customServingMessage(await getDeployment(dependencies, refOf(request, context))) };
    },
    async *watchDeployment(request, context) {
      const states = watchDeployment(dependencies, refOf(request, context), context.signal);
      for await (const deployment of states) yield { deployment: customServingMessage(deployment) };
    },
    async getServingState(request, context) {
      return { serving: servingStateMessage(await getServingState(dependencies, refOf(request, context))) };
    },
    async listDeploymentVersions({ limit = 100, cursor, ...request }, context) {
      const { organisationId, id: deploymentId } = await getDeployment(dependencies, refOf(request, context));
      const query = { deploymentId, limit, cursor };
      const { items, nextCursor } = await dependencies.deploymentVersions.list(organisationId, query);
      return { versions: items.map(versionMessage), nextCursor };
    },
    async listRollouts({ limit = 100, cursor, ...request }, context) {
      const { organisationId, id: deploymentId } = await getDeployment(dependencies, refOf(request, context));
      const { items, nextCursor } = await dependencies.rollouts.list(organisationId, { deploymentId, limit, cursor });
      return { rollouts: items.map(rolloutMessage), nextCursor };
    },
    async resolvePredictionRoute(request, context) {
      const waitMs = Math.min(longestWaitMs, (context.timeoutMs() ?? longestWaitMs) - answerMs);
      const patience = { waitMs, signal: context.signal };
      const { targets, timeoutMs } = await resolvePredictionRoute(dependencies, refOf(request, context), patience);
      const maxBodyBytes = BigInt(dependencies.mostPredictionBytes);
      return { targets: targets.map(targetMessage), timeoutMs, maxBodyBytes, validMs: routeValidMs };
    },
  };
}

function targetMessage({
  url,
  weight,
  version: { id, token, modelName },
}: Awaited<ReturnType<typeof resolvePredictionRoute>>["targets"][number]) {
  return { url, weight, token, deploymentVersionId: id, modelName };
}

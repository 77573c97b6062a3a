import type { DeploymentService } from "@aiplatform/contract/aiplatform/deployments/v1/deployments";
import { waitWithin } from "@aiplatform/service-host";
import type { ServiceImpl } from "@connectrpc/connect";
import { refOf } from "../deployments/deployment-message.ts";
import { getServingState } from "./get-serving-state.ts";
import { servingStateMessage, targetMessage } from "./prediction-message.ts";
import { type PredictionDependencies, resolvePredictionRoute } from "./resolve-prediction-route.ts";

/** Longest wait for an instance to be started, ms; less when the caller has less time. */
const maxWaitMs = 30_000;
/** How long a route may be used without asking again, ms: a version that was replaced goes on for longer. */
const routeValidMs = 2_000;

interface Dependencies extends PredictionDependencies {
  /** Bytes of a prediction's body at most. */
  maxPredictionBytes: number;
  /** Name in the certificate of instances that have one. */
  servingName: string;
}

/** The RPCs of DeploymentService about where predictions are answered. */
export function predictionMethods(
  dependencies: Dependencies,
): Pick<ServiceImpl<typeof DeploymentService>, "getServingState" | "resolvePredictionRoute"> {
  return {
    async getServingState(request, context) {
      return { serving: servingStateMessage(await getServingState(dependencies, refOf(request, context))) };
    },
    async resolvePredictionRoute(request, context) {
      const wait = { timeoutMs: waitWithin(context, maxWaitMs), signal: context.signal };
      const route = await resolvePredictionRoute(dependencies, refOf(request, context), wait);
      return {
        targets: route.targets.map((target) => targetMessage(target, dependencies.servingName)),
        timeoutMs: route.timeoutMs,
        maxBodyBytes: BigInt(dependencies.maxPredictionBytes),
        validMs: routeValidMs,
      };
    },
  };
}

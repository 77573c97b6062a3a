import { callerOf } from "@aiplatform/caller-identity";
import type { TrainerService } from "@aiplatform/contract/aiplatform/training/v1/trainers";
import type { ServiceImpl } from "@connectrpc/connect";
import { type SendMetricsDependencies, sendMetrics } from "./send-metrics.ts";

/** Points of callers without an attachment. */
export function sendMetricsHandler(
  dependencies: SendMetricsDependencies,
): ServiceImpl<typeof TrainerService>["sendMetrics"] {
  return async (request, context) => {
    const { organisationId } = callerOf(context);
    const { counter, ...stored } = await sendMetrics(dependencies, organisationId, request);
    return { ...stored, durableCounter: counter };
  };
}

import type { MetricTable } from "@aiplatform/telemetry";
import { servingRuntimeMetrics } from "../../packages/serving-runtime/src/runtime-metrics.ts";
import { contentMetrics } from "../../services/content/src/content-metrics.ts";
import { dataMetrics } from "../../services/data/src/data-metrics.ts";
import { deploymentsMetrics } from "../../services/deployments/src/deployments-metrics.ts";
import { gatewayMetrics } from "../../services/gateway/src/gateway-metrics.ts";
import { identityMetrics } from "../../services/identity/src/identity-metrics.ts";
import { trainingMetrics } from "../../services/training/src/training-metrics.ts";

/** What each process declares that it may show. */
export const declaredMetrics: Readonly<Record<string, MetricTable>> = {
  gateway: gatewayMetrics,
  identity: identityMetrics,
  training: trainingMetrics,
  content: contentMetrics,
  deployments: deploymentsMetrics,
  data: dataMetrics,
  serving: servingRuntimeMetrics,
};

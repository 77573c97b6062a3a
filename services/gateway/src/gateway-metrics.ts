import { streamMetrics } from "@aiplatform/event-stream";
import { callingMetrics, readinessMetrics, runtimeMetrics } from "@aiplatform/service-host";
import { defineMetrics } from "@aiplatform/telemetry";
import { admissionMetrics } from "./admission/metrics.ts";
import { edgeMetrics } from "./edge/metrics.ts";

/** Everything that the gateway's /metrics may show. */
export const gatewayMetrics = defineMetrics({
  ...edgeMetrics,
  ...admissionMetrics,
  ...callingMetrics,
  ...streamMetrics,
  ...readinessMetrics,
  ...runtimeMetrics,
});

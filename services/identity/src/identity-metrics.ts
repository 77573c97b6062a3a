import { storeMetrics } from "@aiplatform/document-store";
import { eventMetrics } from "@aiplatform/event-stream";
import { hostMetrics } from "@aiplatform/service-host";
import { claimingWorkerMetrics, workerMetrics } from "@aiplatform/service-kit";
import { defineMetrics } from "@aiplatform/telemetry";

/** Everything that identity's /metrics may show. */
export const identityMetrics = defineMetrics({
  ...workerMetrics,
  ...claimingWorkerMetrics,
  ...eventMetrics,
  ...storeMetrics,
  ...hostMetrics,
});

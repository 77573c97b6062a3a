import { dataEngineMetrics } from "@aiplatform/data-engine";
import { storeMetrics } from "@aiplatform/document-store";
import { eventMetrics } from "@aiplatform/event-stream";
import { hostMetrics } from "@aiplatform/service-host";
import { claimingWorkerMetrics, workerMetrics } from "@aiplatform/service-kit";
import { defineMetrics } from "@aiplatform/telemetry";

/** Everything that the data service's /metrics may show. */
export const dataMetrics = defineMetrics({
  ...workerMetrics,
  ...claimingWorkerMetrics,
  ...dataEngineMetrics,
  ...eventMetrics,
  ...storeMetrics,
  ...hostMetrics,
});

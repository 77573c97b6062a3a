import { storeMetrics } from "@aiplatform/document-store";
import { eventMetrics } from "@aiplatform/event-stream";
import { hostMetrics } from "@aiplatform/service-host";
import { claimingWorkerMetrics, workerMetrics } from "@aiplatform/service-kit";
import { defineMetrics, metric } from "@aiplatform/telemetry";
import { workerPoolMetrics } from "@aiplatform/worker-pool";

const status = ["Succeeded", "Failed", "RolledBack", "Superseded", "Queued", "InProgress"] as const;

/** Rollouts and instances, of the deployments whose leases this replica holds. */
export const rolloutMetrics = defineMetrics({
  rollouts_total: metric.counter({ help: "Rollouts that ended, by how.", labels: { status } }),
  rollout_duration_seconds: metric.histogram({
    help: "Time from the request to the end of a rollout.",
    labels: { status },
    buckets: [0.5, 1, 2, 5, 10, 20, 60, 120, 300],
    appears: "with the first rollout that ends",
  }),
  serving_instances: metric.gauge({
    help: "Instances of the deployments whose leases this replica holds.",
    labels: { state: ["starting", "ready", "unhealthy", "failed"] },
  }),
});

/** Artifacts that this replica has removed because nothing referred to them. */
export const collectionMetrics = defineMetrics({
  artifacts_collected_total: metric.counter({ help: "Artifacts that were removed because nothing referred to them." }),
  artifact_bytes_collected_total: metric.counter({ help: "Bytes of these artifacts." }),
});

/** Everything that deployments' /metrics may show. */
export const deploymentsMetrics = defineMetrics({
  ...rolloutMetrics,
  ...collectionMetrics,
  ...workerPoolMetrics,
  ...workerMetrics,
  ...claimingWorkerMetrics,
  ...eventMetrics,
  ...storeMetrics,
  ...hostMetrics,
});

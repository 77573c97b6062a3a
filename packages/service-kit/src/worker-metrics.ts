import { defineMetrics, metric } from "@aiplatform/telemetry";

const worker = "name of the worker";

/** What the workers of a service show; a service spreads these into its own table. */
export const workerMetrics = defineMetrics({
  worker_rounds_total: metric.counter({
    help: "Rounds of background workers by how they ended; a round that failed is tried again after a pause.",
    labels: { worker, outcome: ["done", "failed"] },
    appears: "with the first round",
  }),
  worker_failing_rounds: metric.gauge({
    help: "Rounds of a worker that failed in a row; 0 while it works.",
    labels: { worker },
  }),
});

/** What claiming workers show besides. */
export const claimingWorkerMetrics = defineMetrics({
  worker_items_total: metric.counter({
    help:
      "Work under a lease by how it ended at this replica: `failed` is tried again after a pause, `lost` was cancelled or taken " +
      "over, `released` is another replica's to go on with.",
    labels: { worker, outcome: ["done", "failed", "lost", "released"] },
    appears: "with the first work that ends",
  }),
  worker_items_active: metric.gauge({
    help: "Work under a lease that this replica does now.",
    labels: { worker },
  }),
});

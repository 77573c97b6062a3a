import { defineMetrics, metric } from "@aiplatform/telemetry";

/** What whoever uses a document store tells of it. */
export const storeMetrics = defineMetrics({
  mongodb_operation_duration_seconds: metric.histogram({
    says: "Time until the database answered an operation.",
    labels: {
      operation: "name of the command, such as `find`",
      collection: "the collection; empty for what concerns none",
      outcome: ["ok", "failed"],
    },
    appears: "with the first operation",
  }),
  mongodb_pool_connections: metric.gauge({
    says: "Connections to the database, over all its members.",
    labels: { state: ["idle", "used"] },
  }),
  mongodb_pool_waiting: metric.gauge({ says: "Operations that wait for a connection." }),
  mongodb_pool_refusals_total: metric.counter({
    says: "Operations that got no connection, by why.",
    labels: { reason: ["timeout", "connectionError", "poolClosed"] },
  }),
});

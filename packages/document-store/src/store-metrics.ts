import { defineMetrics, metric } from "@aiplatform/telemetry";

/** What the users of a document store tell of it. */
export const storeMetrics = defineMetrics({
  mongodb_operation_duration_seconds: metric.histogram({
    help: "Time until the database answered an operation.",
    labels: {
      operation: "name of the command, such as `find`",
      collection: "the collection; empty for what concerns none",
      outcome: ["ok", "failed"],
    },
    appears: "with the first operation",
  }),
  mongodb_pool_connections: metric.gauge({
    help: "Connections to the database, over all its members.",
    labels: { state: ["idle", "used"] },
  }),
  mongodb_pool_waiting: metric.gauge({ help: "Operations that wait for a connection." }),
  mongodb_pool_refusals_total: metric.counter({
    help: "Operations that got no connection, by why.",
    labels: { reason: ["timeout", "connectionError", "poolClosed"] },
  }),
  mongodb_circuit_open: metric.gauge({
    help: "1 while the circuit breaker refuses operations at once, because the database does not answer; else 0.",
  }),
  mongodb_calls_refused_total: metric.counter({
    help: "Operations that the circuit breaker refused without asking the database.",
  }),
  mongodb_clock_difference_seconds: metric.gauge({
    help: "How far this process's clock is ahead of the primary's; below 0 behind it. Services refuse each other's callers from 5 s on.",
    appears: "with the primary's first heartbeat",
  }),
});

import { defineMetrics, metric } from "@aiplatform/telemetry";
import { earlyEnds } from "./pool/early-end.ts";

const request = ["convert", "rows", "statistics", "query", "vectors", "nearest"] as const;

/** What an engine tells; a service spreads these into its own table. */
export const dataEngineMetrics = defineMetrics({
  data_engine_queue_length: metric.gauge({ help: "Requests that wait for a process of the data engine." }),
  data_engine_processes: metric.gauge({ help: "Processes of the data engine.", labels: { state: ["busy", "idle"] } }),
  data_engine_requests_refused_total: metric.counter({
    help: "Requests that were refused because too many of their organisation were waiting.",
  }),
  data_engine_processes_ended_total: metric.counter({
    help: "Processes of the data engine that ended before their time, by why. cancelled: its caller left, and it did not stop.",
    labels: { cause: earlyEnds },
    appears: "with the first one",
  }),
  data_engine_request_wait_seconds: metric.histogram({
    help: "Time a request waited for a process of the data engine.",
    labels: { request },
    appears: "with the first request",
  }),
  data_engine_request_duration_seconds: metric.histogram({
    help: "Time a request ran in a process of the data engine, by how it ended.",
    labels: { request, outcome: ["done", "refused", "limit", "stopped", "cancelled"] },
    appears: "with the first request",
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 900],
  }),
});

import { defineMetrics, metric } from "@aiplatform/telemetry";

/** What keeps more requests out than can be answered in time. */
export const admissionMetrics = defineMetrics({
  rate_limited_total: metric.counter({
    help: "Requests that were rejected: 429 for a caller's own budget, 503 with `OVERLOADED` or `STREAMS_FULL` for ours.",
    labels: {
      reason: [
        "RATE_LIMITED",
        "TOO_MANY_CONCURRENT",
        "TOO_MANY_STREAMS",
        "TOO_MANY_FAILED_CREDENTIALS",
        "OVERLOADED",
        "STREAMS_FULL",
      ],
    },
  }),
  requests_shed_total: metric.counter({
    help: "Requests refused with 503 to protect the platform: the gateway's event loop was late, a service had as many calls as it does in time, or TOTAL_CONCURRENCY or TOTAL_STREAMS was reached.",
    labels: { reason: ["event_loop", "calls", "total", "streams"] },
  }),
  call_limit: metric.gauge({
    help: "Calls of a service that may be under way from this gateway at once; falls while its calls take too long.",
    labels: { service: ["content", "data", "deployments", "identity", "training"] },
  }),
  calls_under_way: metric.gauge({
    help: "Calls of a service that are under way from this gateway, without streams and long polls.",
    labels: { service: ["content", "data", "deployments", "identity", "training"] },
  }),
});

import { streamMetrics } from "@aiplatform/event-stream";
import { callingMetrics, readinessMetrics, runtimeMetrics } from "@aiplatform/service-host";
import { defineMetrics, metric } from "@aiplatform/telemetry";

/** What only the edge tells. */
export const edgeMetrics = defineMetrics({
  http_server_request_duration_seconds: metric.histogram({
    says: "Time from a request's first byte to the end of its answer; of a stream to its end.",
    labels: {
      http_request_method: "method, `_OTHER` for one that HTTP does not know",
      http_route: "path of the operation as it is declared; empty where there is none",
      http_response_status_code: "status",
    },
    appears: "with the first request",
  }),
  http_server_active_requests: metric.gauge({ says: "Requests that are not answered to the end, streams included." }),
  sse_connections: metric.level({ says: "Streams of server-sent events that are open." }),
  websocket_connections: metric.level({ says: "WebSockets to notebooks that are open." }),
});

/** What keeps more requests out than can be answered in time. */
export const overloadMetrics = defineMetrics({
  rate_limited_total: metric.counter({
    says: "Requests that were put off: 429 for a caller's own budget, 503 with `OVERLOADED` for ours.",
    labels: { reason: ["RATE_LIMITED", "TOO_MANY_CONCURRENT", "TOO_MANY_FAILED_CREDENTIALS", "OVERLOADED"] },
  }),
  requests_shed_total: metric.counter({
    says: "Requests refused with 503 to protect the platform: the gateway's event loop was late, a service had as many calls as it does in time, or TOTAL_CONCURRENCY was reached.",
    labels: { reason: ["event_loop", "calls", "total"] },
  }),
  call_limit: metric.gauge({
    says: "Calls of a service that may be under way from this gateway at once; falls while its calls take too long.",
    labels: { service: ["content", "deployments", "identity", "training"] },
  }),
  calls_under_way: metric.gauge({
    says: "Calls of a service that are under way from this gateway, without streams and long polls.",
    labels: { service: ["content", "deployments", "identity", "training"] },
  }),
});

/** Everything that the gateway's /metrics may show. */
export const gatewayMetrics = defineMetrics({
  ...edgeMetrics,
  ...overloadMetrics,
  ...callingMetrics,
  ...streamMetrics,
  ...readinessMetrics,
  ...runtimeMetrics,
});

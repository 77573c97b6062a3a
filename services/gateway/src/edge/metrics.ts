import { defineMetrics, metric } from "@aiplatform/telemetry";

/** What only the edge tells. */
export const edgeMetrics = defineMetrics({
  http_server_request_duration_seconds: metric.histogram({
    help: "Time from a request's first byte to the end of its answer; of a stream to its end.",
    labels: {
      http_request_method: "method, `_OTHER` for one that HTTP does not know",
      http_route: "path of the operation as it is declared; empty where there is none",
      http_response_status_code: "status",
    },
    appears: "with the first request",
  }),
  http_server_active_requests: metric.gauge({ help: "Requests that are not answered to the end, streams included." }),
  sse_connections: metric.level({ help: "Streams of server-sent events that are open." }),
  websocket_connections: metric.level({ help: "WebSockets to notebooks that are open." }),
});

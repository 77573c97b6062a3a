import { defineMetrics, metric } from "@aiplatform/telemetry";

const rpc = {
  rpc_service: "full name of the service in the contract",
  rpc_method: "name of the RPC",
  rpc_response_status_code: "`OK` or the name of a gRPC code, such as `Unavailable`",
} as const;

/** What a process tells of itself, whatever it does. */
export const runtimeMetrics = defineMetrics({
  process_start_time_seconds: metric.gauge({ help: "When the process began, in seconds since 1970." }),
  process_cpu_seconds_total: metric.total({ help: "Processor time used.", labels: { mode: ["user", "system"] } }),
  process_resident_memory_bytes: metric.gauge({ help: "Memory that the process holds." }),
  nodejs_active_resources: metric.gauge({
    help: "Handles and requests that keep the process busy: sockets, servers, timers, files.",
  }),
  nodejs_eventloop_delay_seconds: metric.gauge({
    help: "How late the event loop was since the last look; what is above some 50 ms is felt by every caller.",
    labels: { statistic: ["p50", "p99", "max"] },
  }),
  nodejs_eventloop_utilisation: metric.gauge({ help: "Share of the time since the last look that the loop was busy." }),
  nodejs_heap_bytes: metric.gauge({ help: "JavaScript heap.", labels: { state: ["used", "total", "limit"] } }),
  nodejs_gc_duration_seconds: metric.histogram({
    help: "Pauses for garbage collection.",
    labels: { kind: ["minor", "major", "incremental", "weakcb"] },
    buckets: [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1],
    appears: "with the first collection",
  }),
});

/** What every service that answers RPCs tells. */
export const servingMetrics = defineMetrics({
  rpc_server_call_duration_seconds: metric.histogram({
    help: "Time from a call's first byte to its end; of a stream to its last message.",
    labels: rpc,
    appears: "with the first call",
  }),
  rpc_server_open_streams: metric.level({
    help: "Streams under way.",
    labels: { rpc_service: rpc.rpc_service, rpc_method: rpc.rpc_method },
    appears: "with the first stream",
  }),
});

/** What every process that calls services tells. */
export const callingMetrics = defineMetrics({
  rpc_client_call_duration_seconds: metric.histogram({
    help: "Time until a call to another service was answered, its repeats included; of a stream until its first answer.",
    labels: rpc,
    appears: "with the first call",
  }),
  identity_circuit_open: metric.gauge({
    help: "1 while identity is left alone because it did not answer several exchanges of credentials in a row; else 0.",
  }),
});

/** What every process with parts that it depends on tells. */
export const readinessMetrics = defineMetrics({
  dependency_up: metric.gauge({
    help: "1 while a part that this process works with answers, 0 while it does not, as the last look found it. Only what /readyz lists under `checks` makes a process not ready.",
    labels: { dependency: "name of the check or dependency on /readyz" },
    appears: "within seconds of the start; checks with the first /readyz",
  }),
});

/** What every service has; a service spreads these into its own table. */
export const hostMetrics = defineMetrics({
  ...runtimeMetrics,
  ...servingMetrics,
  ...callingMetrics,
  ...readinessMetrics,
});

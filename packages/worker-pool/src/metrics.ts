import { defineMetrics, metric } from "@aiplatform/telemetry";

const task = "name of the task";

/** What a pool tells; a service spreads these into its own table. */
export const workerPoolMetrics = defineMetrics({
  worker_pool_queue_length: metric.gauge({ help: "Tasks that wait for a worker thread." }),
  worker_pool_threads: metric.gauge({ help: "Worker threads.", labels: { state: ["busy", "idle", "starting"] } }),
  worker_tasks_refused_total: metric.counter({
    help: "Tasks that were refused because too many of their organisation were waiting.",
  }),
  worker_task_wait_seconds: metric.histogram({
    help: "Time a task waited for a worker thread.",
    labels: { task },
    appears: "with the first task",
  }),
  worker_task_duration_seconds: metric.histogram({
    help: "Time a task ran, by how it ended: `time_limit` and `memory_limit` where its thread was ended for it.",
    labels: { task, outcome: ["done", "failed", "time_limit", "memory_limit"] },
    appears: "with the first task",
  }),
});

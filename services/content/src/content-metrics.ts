import { storeMetrics } from "@aiplatform/document-store";
import { eventMetrics } from "@aiplatform/event-stream";
import { hostMetrics } from "@aiplatform/service-host";
import { claimingWorkerMetrics, workerMetrics } from "@aiplatform/service-kit";
import { defineMetrics, metric } from "@aiplatform/telemetry";
import { workerPoolMetrics } from "@aiplatform/worker-pool";

/** What content tells of work that goes on after its requests; each replica of what it did. */
export const workMetrics = defineMetrics({
  email_deliveries_total: metric.counter({
    help: "Recipients of e-mails whose sending has ended, by outcome: `unknown` where the mail server's answer was lost.",
    labels: { status: ["sent", "failed", "skipped", "unknown"] },
  }),
  automation_runs_total: metric.counter({
    help: "Runs of automations that have succeeded or failed. Cancelled runs are not counted.",
    labels: { status: ["succeeded", "failed"] },
  }),
  automation_due_times_total: metric.counter({
    help:
      "Due times of schedules: `started` a run, `not_started` because the condition did not hold or the organisation is " +
      "suspended. `missed` counts once for each look that found due times which are over for too long.",
    labels: { outcome: ["started", "not_started", "missed"] },
  }),
});

/** Everything that content's /metrics may show. */
export const contentMetrics = defineMetrics({
  ...workMetrics,
  ...workerPoolMetrics,
  ...workerMetrics,
  ...claimingWorkerMetrics,
  ...eventMetrics,
  ...storeMetrics,
  ...hostMetrics,
});

import { storeMetrics } from "@aiplatform/document-store";
import { eventMetrics } from "@aiplatform/event-stream";
import { hostMetrics } from "@aiplatform/service-host";
import { claimingWorkerMetrics, workerMetrics } from "@aiplatform/service-kit";
import { defineMetrics, metric } from "@aiplatform/telemetry";
import { actions } from "./job-log/job-entry.ts";

/** What training tells of commands and trainers; each replica of what went through it. */
export const steeringMetrics = defineMetrics({
  training_commands_total: metric.counter({
    help: "Commands by what became of them: `pending` when they are recorded, then `applied` or `rejected`; those refused at once are `rejected` alone.",
    labels: { action: actions, status: ["pending", "applied", "rejected"] },
  }),
  training_command_apply_seconds: metric.histogram({
    help: "Time from a command's record to the trainer's word that it is applied.",
    labels: { action: actions },
    buckets: [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300],
    appears: "with the first command that is applied",
  }),
  training_metrics_points_total: metric.counter({
    help: "Points of metrics that trainers reported and that are durable.",
  }),
  trainer_report_streams: metric.gauge({ help: "Trainers that report to this replica." }),
  trainer_heartbeat_age_seconds: metric.gauge({
    help: "How long the most silent of them has reported nothing; trainers say something every few seconds. 0 without any.",
  }),
});

/** Everything that training's /metrics may show. */
export const trainingMetrics = defineMetrics({
  ...steeringMetrics,
  ...workerMetrics,
  ...claimingWorkerMetrics,
  ...eventMetrics,
  ...storeMetrics,
  ...hostMetrics,
});

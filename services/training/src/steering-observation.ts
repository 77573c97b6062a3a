import type { Platform } from "@aiplatform/service-host";
import { createInstruments } from "@aiplatform/telemetry";
import type { JobEntry } from "./job-log/job-entry.ts";
import type { JobSnapshot } from "./job-log/job-snapshot.ts";
import type { ReportObserver } from "./metric-reports/report-rpc.ts";
import { steeringMetrics } from "./training-metrics.ts";

/** Measures commands, and the reports of trainers. */
export interface SteeringObservation extends ReportObserver {
  /** An entry that this replica wrote, and the job before it. */
  written(before: JobSnapshot, entry: JobEntry): void;
  /** Points that became durable. */
  points(number: number): void;
}

export function observeSteering(meter: Platform["meter"]): SteeringObservation {
  const instruments = createInstruments(meter, steeringMetrics);
  const reportedAt = new Map<symbol, number>();
  instruments.trainer_report_streams.observe((set) => set(reportedAt.size));
  instruments.trainer_heartbeat_age_seconds.observe((set) => {
    const oldestMs = Math.min(performance.now(), ...reportedAt.values());
    set((performance.now() - oldestMs) / 1_000);
  });
  return {
    written(before, { at, facts: { command, resolutions = [] } }) {
      if (command) instruments.training_commands_total.add(1, { action: command.action, status: command.status });
      for (const { sequences, status } of resolutions) {
        for (const sequence of sequences) {
          const pending = before.pending.bySequence(sequence);
          if (!pending) continue;
          const { action, createdAt } = pending;
          instruments.training_commands_total.add(1, { action, status });
          const seconds = Math.max(0, at.getTime() - createdAt.getTime()) / 1_000;
          if (status === "applied") instruments.training_command_apply_seconds.record(seconds, { action });
        }
      }
    },
    points: (number) => instruments.training_metrics_points_total.add(number),
    streamOpened() {
      const stream = Symbol("stream");
      const reported = () => void reportedAt.set(stream, performance.now());
      reported();
      return { reported, closed: () => void reportedAt.delete(stream) };
    },
  };
}

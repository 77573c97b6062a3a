import type { Platform } from "@aiplatform/service-host";
import { createInstruments } from "@aiplatform/telemetry";
import type { JobEntry } from "./jobs/job-entry.ts";
import type { JobSnapshot } from "./jobs/job-snapshot.ts";
import { steeringMetrics } from "./training-metrics.ts";

/** Counts what becomes of commands, and how trainers are heard. */
export interface SteeringObservation {
  /** An entry that this replica wrote, and the job before it. */
  written(before: JobSnapshot, entry: JobEntry): void;
  /** Points that became durable. */
  points(number: number): void;
  /** A trainer begins to report; `heard` for each report, `ended` once. */
  reporting(): { heard(): void; ended(): void };
}

/** `ticks` is a clock that only goes forward, ms. */
export function observeSteering(meter: Platform["meter"], ticks = () => performance.now()): SteeringObservation {
  const instruments = createInstruments(meter, steeringMetrics);
  const heardAt = new Map<symbol, number>();
  instruments.trainer_report_streams.observe((tell) => tell(heardAt.size));
  instruments.trainer_heartbeat_age_seconds.observe((tell) => {
    const silentSince = Math.min(ticks(), ...heardAt.values());
    tell((ticks() - silentSince) / 1_000);
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
    reporting() {
      const stream = Symbol("stream");
      const heard = () => void heardAt.set(stream, ticks());
      heard();
      return { heard, ended: () => void heardAt.delete(stream) };
    },
  };
}

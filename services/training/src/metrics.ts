import type { RunMetricsService } from "@aiplatform/contract/aiplatform/training/v1/run_metrics";
import type { TrainerService } from "@aiplatform/contract/aiplatform/training/v1/trainers";
import type { DocumentStore } from "@aiplatform/document-store";
import type { ServiceImpl } from "@connectrpc/connect";
import type { DirectoryEntry, JobDirectory } from "./jobs/job-directory.ts";
import type { FinalMetrics } from "./jobs/job-entry.ts";
import type { JobLogs } from "./jobs/job-logs.ts";
import { MetricBucketStore } from "./metric-reports/metric-bucket-store.ts";
import { MetricNameStore } from "./metric-reports/metric-name-store.ts";
import { MetricReports } from "./metric-reports/metric-reports.ts";
import type { AcceptedReport } from "./metric-reports/report.ts";
import { ReportIntake } from "./metric-reports/report-intake.ts";
import { reportRpc } from "./metric-reports/report-rpc.ts";
import { ChangeSignals } from "./run-metrics/change-signals.ts";
import { finalMetrics } from "./run-metrics/final-metrics.ts";
import { LiveRuns } from "./run-metrics/live-runs.ts";
import { MetricDocumentCache } from "./run-metrics/metric-documents.ts";
import { runMetricsRpc } from "./run-metrics/run-metrics-rpc.ts";
import type { SteeringObservation } from "./steering-observation.ts";

/** Core NATS subject of the wake-ups; the run's id follows. */
const wakeSubject = "aiplatform_wake.training.metrics";

/** What carries wake-ups between replicas; losing one costs a second, never a point. */
export interface WakeUps {
  announce(subject: string, data: Uint8Array): void;
  listen(subject: string, handler: (message: { subject: string; data: Uint8Array }) => void): { close(): void };
}

export interface MetricsDependencies {
  store: DocumentStore;
  wakeUps: WakeUps;
  directory: Pick<JobDirectory, "find">;
  logs: Pick<JobLogs, "state" | "currentState" | "onChange">;
  clock: () => Date;
  steering: Pick<SteeringObservation, "points" | "reporting">;
  /** Bytes of live points kept. Default 512 MiB. */
  liveBytes?: number;
  /** Bytes of rendered answers kept. Default 64 MiB. */
  renderedBytes?: number;
}

/** Reports in, live metrics out. */
export interface Metrics {
  reports: MetricReports;
  report: ServiceImpl<typeof TrainerService>["report"];
  runMetrics: ServiceImpl<typeof RunMetricsService>;
  /** The job's metrics, when it is about to end. */
  finalMetrics: (found: DirectoryEntry) => Promise<FinalMetrics>;
  /** Answers those who wait, and tells watchers to reconnect. */
  drain(): void;
  /** Resolves when every batch taken is settled. */
  close(): Promise<void>;
}

const mebibyte = 1024 * 1024;

/** Wires what takes reports and what shows them. */
export function createMetrics(dependencies: MetricsDependencies): Metrics {
  const { store, wakeUps, directory, logs, clock, steering } = dependencies;
  const buckets = new MetricBucketStore(store);
  const signals = new ChangeSignals();
  const ticks = () => performance.now();
  const budgetBytes = dependencies.liveBytes ?? 512 * mebibyte;
  const live = new LiveRuns({ buckets, logs, signals, ticks, budgetBytes });
  const documents = new MetricDocumentCache(dependencies.renderedBytes ?? 64 * mebibyte);
  const announce = (runId: string, sequence: number) =>
    wakeUps.announce(`${wakeSubject}.${runId}`, Buffer.from(String(sequence)));
  const accepted = (batch: AcceptedReport) => {
    steering.points(batch.report.columns.reduce((sum, { values }) => sum + values.length, 0));
    live.accepted(batch);
  };
  const intake = new ReportIntake({ buckets, clock, accepted, announce });
  const listening = [
    wakeUps.listen(`${wakeSubject}.*`, ({ subject, data }) =>
      live.heardOf(subject.slice(wakeSubject.length + 1), Number(Buffer.from(data))),
    ),
    logs.onChange((runId) => signals.wake(runId)),
  ];
  return {
    reports: new MetricReports(buckets),
    report: reportRpc({ directory, logs, names: new MetricNameStore(store), intake, steering }),
    runMetrics: runMetricsRpc({ directory, live, signals, documents, clock }),
    finalMetrics: (found) => finalMetrics(live, found),
    drain: () => signals.drain(),
    async close() {
      for (const each of listening) each.close();
      await intake.close();
    },
  };
}

import type { TrainerService } from "@aiplatform/contract/aiplatform/training/v1/trainers";
import type { EventStream } from "@aiplatform/event-stream";
import type { ConnectRouter, ServiceImpl } from "@connectrpc/connect";
import type { FinalMetrics } from "./job-log/job-entry.ts";
import type { JobLogs } from "./job-log/job-logs.ts";
import { logLineRoutes } from "./log-lines/log-line-rpc.ts";
import { sendMetricsHandler } from "./metric-points/metric-point-rpc.ts";
import { type NewPoints, type StoredPoints, storePoints } from "./metric-points/send-metrics.ts";
import type { AcceptReportDependencies } from "./metric-reports/accept-report.ts";
import type { AcceptedReport } from "./metric-reports/report.ts";
import { ReportIntake } from "./metric-reports/report-intake.ts";
import { reportHandler, sendReportHandler } from "./metric-reports/report-rpc.ts";
import { comparisonRoutes } from "./run-comparison/comparison-rpc.ts";
import { mediaRoutes } from "./run-media/media-rpc.ts";
import { ChangeSignals } from "./run-metrics/change-signals.ts";
import { finalMetrics, type NewestPoint, newestPoints } from "./run-metrics/final-metrics.ts";
import { liveMetricsRoutes } from "./run-metrics/live-metrics-rpc.ts";
import { LiveRuns } from "./run-metrics/live-runs.ts";
import { MetricDocumentCache } from "./run-metrics/metric-documents.ts";
import { reportedStep } from "./run-metrics/reported-step.ts";
import { runMetricsRoutes } from "./run-metrics/run-metrics-rpc.ts";
import type { DirectoryEntry, JobDirectory } from "./runs/job-directory.ts";
import type { SteeringObservation } from "./steering-observation.ts";
import type { TrainingStores } from "./stores.ts";

/** Core NATS subject of the messages to other replicas; the run's id follows. A lost one costs a second, never a point. */
const subject = "aiplatform_wake.training.metrics";

export interface LiveMetricsDependencies
  extends Pick<
    TrainingStores,
    "runs" | "pipelines" | "metricBuckets" | "metricNames" | "logBatches" | "media" | "mediaNames"
  > {
  /** Carries messages between replicas. */
  stream: Pick<EventStream, "announce" | "listen">;
  directory: JobDirectory;
  /** Told of a run before a report of it is stored. */
  marks: AcceptReportDependencies["marks"];
  /** Told of each report that became durable here. */
  pendingMetrics: { add(batch: AcceptedReport): void };
  logs: JobLogs;
  clock: () => Date;
  steering: SteeringObservation;
}

/** Reports in, live metrics out. */
export interface LiveMetrics {
  /** What takes reports. */
  intakes: Pick<ServiceImpl<typeof TrainerService>, "report" | "sendReport" | "sendMetrics">;
  /** Stores points of a job that no other process holds. */
  storePoints: (organisationId: string, points: NewPoints) => Promise<StoredPoints>;
  routes: (router: ConnectRouter) => void;
  /** The newest point of each of a job's metrics. */
  newestPoints: (found: DirectoryEntry) => Promise<NewestPoint[]>;
  /** The job's metrics, when it is about to end. */
  finalMetrics: (found: DirectoryEntry) => Promise<FinalMetrics>;
  /** The newest step that was reported of a segment; undefined: none. */
  reportedStep: (found: DirectoryEntry, segmentIndex: number) => Promise<number | undefined>;
  /** Answers the readers that wait, and tells watchers to reconnect. */
  drain(): void;
  /** Resolves when every batch taken is settled. */
  close(): Promise<void>;
}

const mebibyte = 1024 * 1024;
const maxLiveBytes = 512 * mebibyte;
const maxRenderedBytes = 64 * mebibyte;

/** Wires what takes reports and what shows them. */
export function createLiveMetrics(dependencies: LiveMetricsDependencies): LiveMetrics {
  const { metricBuckets: buckets, metricNames: names, stream, directory, logs, clock, pendingMetrics } = dependencies;
  const { steering } = dependencies;
  const signals = new ChangeSignals();
  const live = new LiveRuns({ buckets, logs, signals, ticks: () => performance.now() }, { maxBytes: maxLiveBytes });
  const documents = new MetricDocumentCache(maxRenderedBytes);
  const announce = (runId: string, sequence: number) =>
    stream.announce(`${subject}.${runId}`, Buffer.from(String(sequence)));
  const accepted = (batch: AcceptedReport) => {
    steering.points(batch.report.columns.reduce((sum, { values }) => sum + values.length, 0));
    live.accepted(batch);
    pendingMetrics.add(batch);
  };
  const intake = new ReportIntake({ buckets, clock, accepted, announce });
  const subscriptions = [
    stream.listen(`${subject}.*`, (message) =>
      live.notify(message.subject.slice(subject.length + 1), Number(Buffer.from(message.data))),
    ),
    logs.onChange(({ runId }) => signals.notify(runId)),
  ];
  const sending = { ...dependencies, names, intake };
  return {
    intakes: {
      report: reportHandler(sending),
      sendReport: sendReportHandler({ ...sending, buckets }),
      sendMetrics: sendMetricsHandler(sending),
    },
    storePoints: (organisationId, points) => storePoints(sending, organisationId, points),
    newestPoints: (found) => newestPoints(live, found),
    routes: (router) => {
      const reading = { directory, live, signals, clock };
      runMetricsRoutes(router, { ...reading, documents });
      liveMetricsRoutes(router, reading);
      logLineRoutes(router, { ...dependencies, signals });
      mediaRoutes(router, dependencies);
      comparisonRoutes(router, { ...dependencies, live });
    },
    finalMetrics: (found) => finalMetrics(live, found),
    reportedStep: (found, segmentIndex) => reportedStep(live, found, segmentIndex),
    drain: () => signals.drain(),
    async close() {
      for (const subscription of subscriptions) subscription.close();
      await intake.close();
    },
  };
}

import { type DomainPlatform, startWorker } from "@aiplatform/service-kit";
import type { MetricBucketStore } from "../metric-reports/metric-bucket-store.ts";
import { indexPending } from "./index-reports.ts";
import { consumeJobStates, type JobStateConsumerDependencies } from "./job-state-consumer.ts";
import { PendingMetrics } from "./pending-metrics.ts";
import { ReportMarks } from "./report-marks.ts";
import type { RunIndexStore } from "./run-index-store.ts";
import { adoptRuns, sweepReports } from "./sweep-runs.ts";

type Dependencies = DomainPlatform &
  Pick<JobStateConsumerDependencies, "directory" | "logs"> & {
    index: RunIndexStore;
    metricBuckets: Pick<MetricBucketStore, "after">;
  };

/** How long what was reported waits for what is reported next. */
const indexPauseMs = 2_000;
const sweepPauseMs = 10_000;

/** Keeps what runs are found by up to date, and answers what reports are told to. */
export function startRunIndex(dependencies: Dependencies): { marks: ReportMarks; pendingMetrics: PendingMetrics } {
  const { parts, signal, index, clock } = dependencies;
  const pendingMetrics = new PendingMetrics();
  const round = () => indexPending(dependencies, pendingMetrics);
  parts.use(startWorker(dependencies, { signal, name: "run-index", pauseMs: indexPauseMs, round }));
  const sweep = async () => {
    const [isFull, isMore] = [await adoptRuns(dependencies), await sweepReports(dependencies)];
    return isFull || isMore;
  };
  parts.use(startWorker(dependencies, { signal, name: "run-index-sweep", pauseMs: sweepPauseMs, round: sweep }));
  parts.use(consumeJobStates(dependencies));
  return { marks: new ReportMarks({ index, clock, ticks: () => performance.now() }), pendingMetrics };
}

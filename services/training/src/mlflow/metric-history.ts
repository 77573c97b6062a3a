import type { JobLogs } from "../job-log/job-logs.ts";
import type { MetricBucketStore } from "../metric-reports/metric-bucket-store.ts";
import type { AcceptedReport } from "../metric-reports/report.ts";
import { sensibleMs } from "../metric-reports/report.ts";
import type { NewestPoint } from "../run-metrics/final-metrics.ts";
import { cutsOf } from "../run-metrics/job-live.ts";
import type { JobDirectory } from "../runs/job-directory.ts";

export interface MetricHistoryDependencies {
  directory: Pick<JobDirectory, "get">;
  logs: Pick<JobLogs, "state">;
  metricBuckets: Pick<MetricBucketStore, "after">;
}

export interface HistoryQuery {
  runId: string;
  metricKey: string;
  maxResults: number;
  /** Sequence of the last report of the page before; 0: from the first. */
  afterSequence: number;
}

export interface HistoryPage {
  points: NewestPoint[];
  /** Where the next page begins; undefined on the last. */
  nextSequence: number | undefined;
}

/** Reads of stored reports that one request makes: they hold all metrics of the run, and a page may have none of this one. */
const maxReads = 100;

/** The points of a metric in force, in the order in which they were reported. @throws JobNotFoundError */
export async function metricHistory(
  { directory, logs, metricBuckets }: MetricHistoryDependencies,
  organisationId: string,
  { runId, metricKey, maxResults, afterSequence }: HistoryQuery,
): Promise<HistoryPage> {
  const { reference } = await directory.get(organisationId, { runId });
  const { segments } = await logs.state(organisationId, runId, reference.jobName);
  const { archivedFromStep } = cutsOf(segments);
  const points: NewestPoint[] = [];
  let sequence = afterSequence;
  for (let read = 0; read < maxReads; read++) {
    const batches = await metricBuckets.after(organisationId, runId, sequence);
    if (batches.length === 0) return { points, nextSequence: undefined };
    for (const batch of batches) {
      const found = batch.jobName === reference.jobName && !batch.archived ? pointsOf(batch, metricKey) : [];
      // A page is never empty of what comes next: a report with more points than it may have is a page of its own.
      if (points.length > 0 && points.length + found.length > maxResults) return { points, nextSequence: sequence };
      const cut = archivedFromStep.get(batch.segment) ?? Number.POSITIVE_INFINITY;
      for (const point of found) if (point.step <= cut) points.push(point);
      sequence = batch.sequence;
    }
  }
  return { points, nextSequence: sequence };
}

function pointsOf({ report, acceptedAt }: AcceptedReport, name: string): NewestPoint[] {
  const column = report.columns.find((candidate) => candidate.name === name);
  if (!column) return [];
  const { steps, values, observedAtMs, agesMs = [] } = column;
  const newest = sensibleMs(observedAtMs) ?? acceptedAt.getTime();
  return Array.from({ length: steps.length }, (_, index) => ({
    ...{ name, value: values[index] ?? Number.NaN, step: steps[index] ?? 0 },
    at: newest - (agesMs[index] ?? 0),
  }));
}

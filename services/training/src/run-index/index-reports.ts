import { mergedMetrics } from "../indexed-values/indexed-values.ts";
import type { MetricBucketStore } from "../metric-reports/metric-bucket-store.ts";
import type { RunDocument } from "../runs/run-document.ts";
import { addLatest, type PendingMetrics, type PendingRun } from "./pending-metrics.ts";
import type { RunIndexStore } from "./run-index-store.ts";

export interface IndexReportsDependencies {
  index: RunIndexStore;
  metricBuckets: Pick<MetricBucketStore, "after">;
}

/** Runs indexed at the same time by one process. */
const maxConcurrent = 8;
/** Pages of stored reports that are read before what they say is indexed. */
const maxPages = 64;

/** Indexes what was reported to this process. What fails is found by its run's mark. */
export async function indexPending(dependencies: IndexReportsDependencies, pending: PendingMetrics): Promise<void> {
  const runs = pending.take();
  const failures: unknown[] = [];
  const indexNext = async () => {
    for (let run = runs.pop(); run !== undefined; run = runs.pop()) {
      const { organisationId, runId } = run;
      await indexReports(dependencies, { organisationId, runId, pending: run }).catch((error) => failures.push(error));
    }
  };
  await Promise.all(Array.from({ length: maxConcurrent }, indexNext));
  if (failures.length > 0) throw new AggregateError(failures, `${failures.length} runs were not indexed`);
}

interface RunReports {
  organisationId: string;
  runId: string;
  /** What is known here of the newest reports; without it, or where it begins too late, the stored reports are read. */
  pending?: PendingRun;
}

/** Brings the metrics that a run is found by up to its newest report, or a good part of the way; answers whether there was a newer one. */
export async function indexReports(
  { index, metricBuckets }: IndexReportsDependencies,
  { organisationId, runId, pending }: RunReports,
): Promise<boolean> {
  for (;;) {
    const run = await index.find(organisationId, runId);
    if (run?.metrics_sequence === undefined) return false;
    const { to, latest } = await newerThan(metricBuckets, run, pending);
    if (to <= run.metrics_sequence) return false;
    const metrics = mergedMetrics(run.metrics ?? [], latest);
    if (await index.putMetrics(run, { metrics, changed: changedKeys(metrics, run, latest), sequence: to })) return true;
  }
}

async function newerThan(
  metricBuckets: Pick<MetricBucketStore, "after">,
  { organisation_id, _id, metrics_sequence = 0 }: RunDocument,
  pending: PendingRun | undefined,
): Promise<Pick<PendingRun, "to" | "latest">> {
  if (pending && pending.from <= metrics_sequence) return pending;
  let to = metrics_sequence;
  const latest = new Map<string, number>();
  for (let page = 0; page < maxPages; page++) {
    const batches = await metricBuckets.after(organisation_id, _id, to);
    if (batches.length === 0) break;
    for (const { sequence, archived, report } of batches) {
      to = sequence;
      if (!archived) addLatest(latest, report);
    }
  }
  return { to, latest };
}

/** Metrics whose value is another than before, or gone; those beyond the limit are neither. */
function changedKeys(
  metrics: readonly { key: string; value: number }[],
  { metrics: before = [] }: RunDocument,
  latest: ReadonlyMap<string, number>,
): string[] {
  const earlier = new Map(before.map(({ key, value }) => [key, value]));
  const now = new Map(metrics.map(({ key, value }) => [key, value]));
  return [...latest.keys()].filter((key) => earlier.get(key) !== now.get(key));
}

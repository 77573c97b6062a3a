import type { JobSnapshot, Segment } from "../job-log/job-snapshot.ts";
import type { MetricBucketStore } from "../metric-reports/metric-bucket-store.ts";
import type { LiveRuns } from "../run-metrics/live-runs.ts";
import { activeTime } from "../run-metrics/phase-clock.ts";
import type { SeriesSelection } from "../run-metrics/series-json.ts";
import type { DirectoryEntry, JobDirectory } from "../runs/job-directory.ts";
import type { Run } from "../runs/run.ts";
import type { RunStore } from "../runs/run-store.ts";
import { type Differences, differencesOf } from "./differences.ts";

export interface CompareRunsDependencies {
  runs: Pick<RunStore, "get">;
  directory: Pick<JobDirectory, "get">;
  live: LiveRuns;
  metricBuckets: Pick<MetricBucketStore, "acceptedAt">;
}

/** What the x of a point is: its step, or the seconds in which the job took steps until then. */
export type Axis = "step" | "seconds";

export interface ComparisonQuery {
  runIds: readonly string[];
  metric: string;
  /** Undefined: the job that each run declares first. */
  jobName: string | undefined;
  axis: Axis;
  /** Of each curve. */
  maxPoints: number;
}

/** A curve, in the order in which its points were reported. */
export interface Curve {
  x: number[];
  y: number[];
  /** Whether some of the points were left out. */
  sampled: boolean;
}

export interface ComparedRun extends Curve {
  run: Run;
  job: JobSnapshot;
  jobName: string;
}

export interface Comparison extends Differences {
  runs: ComparedRun[];
}

/**
 * The curves of one metric in several runs, and what differs in what these were started with. Points that a rollback or a warm
 * restart archived are left out.
 * @throws RunNotFoundError, JobNotFoundError
 */
export async function compareRuns(
  dependencies: CompareRunsDependencies,
  organisationId: string,
  query: ComparisonQuery,
): Promise<Comparison> {
  const compared: { run: ComparedRun; configuration: string }[] = [];
  // One after the other: a run that is not in memory is read whole.
  for (const runId of query.runIds) {
    const run = await dependencies.runs.get(organisationId, { runId });
    const found = await dependencies.directory.get(organisationId, { runId, jobName: query.jobName });
    const curve = await curveOf(dependencies, found, query);
    const { name: jobName, configuration } = found.job;
    compared.push({ run: { run, jobName, ...curve }, configuration });
  }
  const declared = compared.map(({ run: { run }, configuration }) => ({ parameters: run.parameters, configuration }));
  return { runs: compared.map(({ run }) => run), ...(await differencesOf(declared)) };
}

async function curveOf(
  { live, metricBuckets }: CompareRunsDependencies,
  { reference }: DirectoryEntry,
  { metric, axis, maxPoints }: ComparisonQuery,
): Promise<Curve & { job: JobSnapshot }> {
  const { organisationId, runId, jobName } = reference;
  const { run, job } = await live.read(organisationId, runId, jobName);
  const series = run.jobs.get(jobName)?.series.get(metric);
  const selection = series?.select({ maxPoints, afterSequence: 0, includeArchived: false });
  if (!selection) return { x: [], y: [], sampled: false, job };
  const { points, chosen, sampled } = selection;
  const y = [...chosen].map((index) => points.values[index] ?? Number.NaN);
  if (axis === "step") return { x: [...chosen].map((index) => points.steps[index] ?? 0), y, sampled, job };
  const sequences = sequencesOf(selection);
  const times = await metricBuckets.acceptedAt(organisationId, runId, [...new Set(sequences)]);
  const x = sequences.map((sequence) => activeSeconds(job.segments, times.get(sequence)));
  return { x, y, sampled, job };
}

function sequencesOf({ points, chosen }: SeriesSelection): number[] {
  return [...chosen].map((index) => points.sequences[index] ?? 0);
}

/** Seconds in which the job took steps until then, whatever came after. */
export function activeSeconds(
  segments: readonly Pick<Segment, "startedAt" | "endedAt">[],
  at: Date | undefined,
): number {
  if (!at) return 0;
  const until = segments
    .filter(({ startedAt }) => startedAt <= at)
    .map(({ startedAt, endedAt }) => ({ startedAt, endedAt: endedAt && endedAt < at ? endedAt : at }));
  return activeTime(until, at.getTime()) / 1_000;
}

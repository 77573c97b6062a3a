import { createHash } from "node:crypto";
import type { DirectoryEntry, JobAddress, JobDirectory } from "../runs/job-directory.ts";
import type { ChangeSignals } from "./change-signals.ts";
import type { LiveRuns } from "./live-runs.ts";
import type { MetricsQuery } from "./metric-documents.ts";
import { statusOf, type ViewSources } from "./run-view.ts";

export interface ReadRunMetricsDependencies {
  directory: Pick<JobDirectory, "get">;
  live: LiveRuns;
  signals: ChangeSignals;
  clock: () => Date;
}

/** How often readers that wait check for changes, in case a notification was lost. */
export const pollIntervalMs = 2_000;

/** Everything known now about the job's run. */
export async function readSources(
  { live, clock }: ReadRunMetricsDependencies,
  found: DirectoryEntry,
): Promise<ViewSources> {
  const { organisationId, runId, jobName } = found.reference;
  const { run, job } = await live.read(organisationId, runId, jobName);
  return { found, run, job, now: clock() };
}

/** Resolves at once or, with `waitMs`, as soon as the run's sequence has passed `afterSequence`. */
export async function readRunMetrics(
  dependencies: ReadRunMetricsDependencies,
  organisationId: string,
  address: JobAddress,
  { afterSequence, waitMs, signal }: { afterSequence: number; waitMs: number; signal: AbortSignal },
): Promise<ViewSources> {
  const found = await dependencies.directory.get(organisationId, address);
  const until = performance.now() + waitMs;
  using change = dependencies.signals.listen(found.run.id);
  for (;;) {
    const sources = await readSources(dependencies, found);
    const left = until - performance.now();
    const isOver = left <= 0 || signal.aborted || dependencies.signals.draining;
    if (isOver || sources.run.sequence > afterSequence) return sources;
    await change.next(Math.min(left, pollIntervalMs), signal);
  }
}

/** A weak entity tag that changes with anything but the passing of time. */
export function tagOf(sources: ViewSources, query: MetricsQuery): string {
  const { run, job, found } = sources;
  const shape = createHash("sha256")
    .update(JSON.stringify([found.job.name, query]))
    .digest("base64url")
    .slice(0, 12);
  return `W/"${run.sequence}-${job.position}-${statusOf(sources).status}-${shape}"`;
}

import { createHash } from "node:crypto";
import type { RunLiveMetrics } from "@aiplatform/contract/aiplatform/training/v1/run_metrics";
import { NotFoundError } from "../errors.ts";
import type { DirectoryEntry, JobDirectory } from "../jobs/job-directory.ts";
import type { ChangeSignals } from "./change-signals.ts";
import type { LiveRuns } from "./live-runs.ts";
import type { MetricDocumentCache, MetricsWish } from "./metric-documents.ts";
import { runLiveMetrics, statusOf, type ViewSources } from "./run-live-metrics.ts";

/** What reading live metrics needs. */
export interface ReadDependencies {
  directory: Pick<JobDirectory, "find">;
  live: LiveRuns;
  signals: ChangeSignals;
  documents: MetricDocumentCache;
  clock: () => Date;
}

/** Whose metrics. */
export interface RunAddress {
  organisationId: string;
  pipelineId: string;
  runId: string;
  jobName: string | undefined;
}

/** A view, and the tag that changes with anything but the passing of time. */
export interface TaggedView {
  metrics: RunLiveMetrics;
  /** A weak entity tag. */
  tag: string;
}

/** How often those who wait look for themselves, in case nothing woke them. */
export const LOOK_EVERY_MS = 2_000;

/** The run's job; throws NotFoundError when pipeline, run and job do not belong together in the organisation. */
export async function findJob(directory: ReadDependencies["directory"], address: RunAddress): Promise<DirectoryEntry> {
  const { organisationId, pipelineId, runId, jobName } = address;
  const found = await directory.find(organisationId, {
    pipelineId,
    runId,
    ...(jobName === undefined ? {} : { jobName }),
  });
  if (!found) throw new NotFoundError();
  return found;
}

/** Everything known now about the job's run. */
export async function lookAt({ live, clock }: ReadDependencies, found: DirectoryEntry): Promise<ViewSources> {
  const { organisationId, runId, jobName } = found.reference;
  const { run, job } = await live.read(organisationId, runId, jobName);
  return { found, run, job, now: clock() };
}

/** Answers at once or, with `waitMs`, as soon as the run's sequence has passed `wish.afterSequence`. */
export async function readRunMetrics(
  dependencies: ReadDependencies,
  address: RunAddress,
  wish: MetricsWish,
  wait: { waitMs: number; signal: AbortSignal },
): Promise<TaggedView> {
  const found = await findJob(dependencies.directory, address);
  const until = performance.now() + wait.waitMs;
  using change = dependencies.signals.listen(found.run.id);
  for (;;) {
    const sources = await lookAt(dependencies, found);
    const left = until - performance.now();
    const isOver = left <= 0 || wait.signal.aborted || dependencies.signals.draining;
    if (isOver || sources.run.sequence > wish.afterSequence) return viewOf(dependencies, sources, wish);
    await change.next(Math.min(left, LOOK_EVERY_MS), wait.signal);
  }
}

function viewOf({ documents }: ReadDependencies, sources: ViewSources, wish: MetricsWish): TaggedView {
  const { run, job, found } = sources;
  const shape = createHash("sha256")
    .update(JSON.stringify([found.job.name, wish]))
    .digest("base64url")
    .slice(0, 12);
  const tag = `W/"${run.sequence}-${job.position}-${statusOf(sources).status}-${shape}"`;
  return { metrics: runLiveMetrics(sources, wish, documents), tag };
}

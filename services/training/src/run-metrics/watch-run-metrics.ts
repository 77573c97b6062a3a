import type { JobAddress } from "../runs/job-directory.ts";
import { pause } from "./change-signals.ts";
import type { MetricsQuery } from "./metric-documents.ts";
import { pollIntervalMs, type ReadRunMetricsDependencies, readSources } from "./read-run-metrics.ts";
import { statusOf, type ViewSources } from "./run-view.ts";

/** This replica stops: watch again, at another one. */
export class ReconnectError extends Error {
  override name = "ReconnectError";
  constructor() {
    super("server is draining, reconnect");
  }
}

/** A run that changed, and what of it is new to the reader. */
export interface RunChange {
  sources: ViewSources;
  query: MetricsQuery;
}

/** Min time between two events of one watcher: faster changes arrive as one. */
const minEventIntervalMs = 100;

/**
 * The run as it is (or what is newer than `query.afterSequence`), then each change. A reader that is slower than the
 * changes gets them together: nothing is queued for it.
 * @throws JobNotFoundError
 * @throws ReconnectError when this replica stops
 */
export async function* watchRunMetrics(
  dependencies: ReadRunMetricsDependencies,
  organisationId: string,
  address: JobAddress,
  { query, signal }: { query: MetricsQuery; signal: AbortSignal },
): AsyncGenerator<RunChange> {
  using change = dependencies.signals.listen(address.runId);
  let shown: string | undefined;
  let { afterSequence } = query;
  while (!signal.aborted) {
    if (dependencies.signals.draining) throw new ReconnectError();
    // Each time: the run may have been deleted.
    const found = await dependencies.directory.get(organisationId, address);
    const sources = await readSources(dependencies, found);
    const state = stateOf(sources);
    if (state !== shown) {
      // A sequence from beyond the run's end was never given out for this history: the whole is the only true answer.
      if (shown === undefined && afterSequence > sources.run.sequence) afterSequence = 0;
      shown = state;
      const spacing = performance.now() + minEventIntervalMs;
      yield { sources, query: { ...query, afterSequence } };
      afterSequence = sources.run.sequence;
      await pause(spacing - performance.now(), signal);
      continue;
    }
    await change.next(nextCheckMs(sources), signal);
  }
}

function stateOf(sources: ViewSources): string {
  return `${sources.run.sequence}/${sources.job.position}/${statusOf(sources).status}`;
}

/** A status also changes when no report arrives. */
function nextCheckMs(sources: ViewSources): number {
  const { until = Number.POSITIVE_INFINITY } = statusOf(sources);
  return Math.max(1, Math.min(pollIntervalMs, until - sources.now.getTime() + 1));
}

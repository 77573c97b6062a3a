import type { RunLiveMetrics } from "@aiplatform/contract/aiplatform/training/v1/run_metrics";
import { ReconnectError } from "../errors.ts";
import type { MetricsWish } from "./metric-documents.ts";
import { pause } from "./pause.ts";
import { findJob, LOOK_EVERY_MS, lookAt, type ReadDependencies, type RunAddress } from "./read-run-metrics.ts";
import { runLiveMetrics, statusOf, type ViewSources } from "./run-live-metrics.ts";

/** Least time between two events of one watcher: faster changes arrive as one. */
export const EVENT_SPACING_MS = 100;

/**
 * The run as it is (or what is newer than `wish.afterSequence`), then each change. A reader that is slower than the
 * changes gets them together: nothing is queued for it. Throws ReconnectError when this replica stops.
 */
export async function* watchRunMetrics(
  dependencies: ReadDependencies,
  address: RunAddress,
  wish: MetricsWish,
  signal: AbortSignal,
): AsyncGenerator<RunLiveMetrics> {
  const found = await findJob(dependencies.directory, address);
  using change = dependencies.signals.listen(found.run.id);
  let shown: string | undefined;
  let { afterSequence } = wish;
  while (!signal.aborted) {
    if (dependencies.signals.draining) throw new ReconnectError();
    const sources = await lookAt(dependencies, found);
    const state = stateOf(sources);
    if (state !== shown) {
      // A sequence from beyond the run's end was never given out for this history: the whole is the only true answer.
      if (shown === undefined && afterSequence > sources.run.sequence) afterSequence = 0;
      shown = state;
      const spacing = performance.now() + EVENT_SPACING_MS;
      yield runLiveMetrics(sources, { ...wish, afterSequence }, dependencies.documents);
      afterSequence = sources.run.sequence;
      await pause(spacing - performance.now(), signal);
      continue;
    }
    await change.next(untilLook(sources), signal);
  }
}

function stateOf(sources: ViewSources): string {
  return `${sources.run.sequence}/${sources.job.position}/${statusOf(sources).status}`;
}

/** Silence alone changes a status, too. */
function untilLook(sources: ViewSources): number {
  const { until = Number.POSITIVE_INFINITY } = statusOf(sources);
  return Math.max(1, Math.min(LOOK_EVERY_MS, until - sources.now.getTime() + 1));
}

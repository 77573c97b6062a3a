import type { LineFilter } from "../metric-reports/log-batch-store.ts";
import { type ChangeSignals, pause } from "../run-metrics/change-signals.ts";
import { ReconnectError } from "../run-metrics/watch-run-metrics.ts";
import type { JobAddress } from "../runs/job-directory.ts";
import { durableCounter, type ReadLogLinesDependencies, type ReportedLine, wantedOf } from "./read-log-lines.ts";

export interface WatchLogLinesDependencies extends ReadLogLinesDependencies {
  signals: ChangeSignals;
}

export interface WatchedLines extends LineFilter {
  /** Counter of the last report that the watcher knows; 0: none. */
  after: number;
  signal: AbortSignal;
}

/** How often a watcher looks for lines of which no message arrived. */
const pollIntervalMs = 2_000;
/** Min time between two looks of one watcher: reports that come faster arrive together. */
const minLookIntervalMs = 200;

/**
 * The lines of each report that has some, in the order of the reports: first those that are stored, then those that come.
 * @throws JobNotFoundError, also when the run is deleted meanwhile
 * @throws ReconnectError when this replica stops
 */
export async function* watchLogLines(
  { directory, logBatches, metricBuckets, signals }: WatchLogLinesDependencies,
  organisationId: string,
  address: JobAddress,
  { after, signal, ...filter }: WatchedLines,
): AsyncGenerator<{ counter: number; lines: ReportedLine[] }> {
  using change = signals.listen(address.runId);
  let seen = after;
  while (!signal.aborted) {
    if (signals.draining) throw new ReconnectError();
    const { reference } = await directory.get(organisationId, address);
    const upTo = await durableCounter(metricBuckets, reference);
    if (upTo > seen) {
      for await (const batch of logBatches.each(reference, { from: seen + 1, upTo }, filter)) {
        const lines = wantedOf(batch, filter);
        if (lines.length > 0) yield { counter: batch.counter, lines };
        if (signal.aborted) return;
      }
      seen = upTo;
      await pause(minLookIntervalMs, signal);
    }
    await change.next(pollIntervalMs, signal);
  }
}

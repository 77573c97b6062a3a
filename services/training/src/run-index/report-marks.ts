import { LRUCache } from "lru-cache";
import type { RunIndexStore } from "./run-index-store.ts";

/** How long after a mark its run is looked at: longer than a mark is believed and a report takes to be stored. */
export const markedForMs = 60_000;
const believedForMs = 30_000;
const maxMarks = 10_000;

interface ReportMarksDependencies {
  index: Pick<RunIndexStore, "mark">;
  clock: () => Date;
  /** A monotonic clock, ms. */
  ticks: () => number;
}

/**
 * Marks runs before their reports are stored, so that a report which no process has indexed is found by the mark, whatever becomes
 * of the process that stored it. One write in half a minute for each run that reports.
 */
export class ReportMarks {
  readonly #dependencies: ReportMarksDependencies;
  readonly #marks = new LRUCache<string, { until: number; marking: Promise<void> }>({ max: maxMarks });

  constructor(dependencies: ReportMarksDependencies) {
    this.#dependencies = dependencies;
  }

  /** Resolves when the run is marked for long enough to store a report. */
  ensure(organisationId: string, runId: string): Promise<void> {
    const { index, clock, ticks } = this.#dependencies;
    const key = `${organisationId}:${runId}`;
    const known = this.#marks.get(key);
    if (known && ticks() < known.until) return known.marking;
    const until = ticks() + believedForMs;
    const marking = index.mark(organisationId, runId, new Date(clock().getTime() + markedForMs));
    this.#marks.set(key, { until, marking });
    marking.catch(() => this.#marks.delete(key));
    return marking;
  }
}

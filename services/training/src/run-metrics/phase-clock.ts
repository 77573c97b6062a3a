import type { PhaseStatus } from "../metric-reports/report.ts";

/** A span of time, milliseconds since 1970; without an end it goes on. */
export interface Span {
  from: number;
  to?: number;
}

const maxSpans = 256;

/** One phase of a job: its status, and how long it ran without the time the job was paused. */
export class PhaseClock {
  status: PhaseStatus = "pending";
  /** When it started first. */
  startedAt: number | undefined;
  /** When it started last. */
  enteredAt: number | undefined;
  /** When it ended last. */
  finishedAt: number | undefined;
  #running: number | undefined;
  #spans: Span[] = [];
  #settled = 0;

  /** Enters a status. Only `running` lets the time count. */
  change(status: PhaseStatus, at: number, pauses: readonly Span[]): void {
    if (status !== "running" && this.#running !== undefined) this.#close(at, pauses);
    if (status === "running") {
      this.#running ??= at;
      this.startedAt ??= at;
      if (this.status !== "running" && this.status !== "paused") this.enteredAt = at;
    }
    if (status === "completed" || status === "failed" || status === "skipped") this.finishedAt = at;
    if (status === "running") this.finishedAt = undefined;
    this.status = status;
  }

  /** Milliseconds until `now`. */
  elapsed(now: number, pauses: readonly Span[]): number {
    const open = this.#running === undefined ? 0 : lengthWithout({ from: this.#running, to: now }, pauses);
    return this.#spans.reduce((sum, span) => sum + lengthWithout(span, pauses), this.#settled + open);
  }

  #close(at: number, pauses: readonly Span[]): void {
    this.#spans.push({ from: this.#running ?? at, to: at });
    this.#running = undefined;
    // A phase that is entered every few seconds for days must not grow: pauses that far back are known by now.
    const [oldest] = this.#spans;
    if (this.#spans.length <= maxSpans || !oldest) return;
    this.#settled += lengthWithout(oldest, pauses);
    this.#spans.shift();
  }
}

/** Milliseconds of a span outside the pauses, which do not overlap. */
export function lengthWithout({ from, to = from }: Span, pauses: readonly Span[]): number {
  let length = Math.max(0, to - from);
  for (const pause of pauses) {
    const overlap = Math.min(to, pause.to ?? to) - Math.max(from, pause.from);
    if (overlap > 0) length -= overlap;
  }
  return length;
}

/** The time between segments: the job stood still, paused or failed. */
export function pausesBetween(segments: readonly { startedAt: Date; endedAt?: Date }[]): Span[] {
  return segments.flatMap(({ endedAt }, index) => {
    if (!endedAt) return [];
    const next = segments[index + 1]?.startedAt.getTime();
    if (next === undefined) return [{ from: endedAt.getTime() }];
    return next > endedAt.getTime() ? [{ from: endedAt.getTime(), to: next }] : [];
  });
}

/** Milliseconds in which the job took steps. */
export function activeTime(segments: readonly { startedAt: Date; endedAt?: Date }[], now: number): number {
  return segments.reduce(
    (sum, { startedAt, endedAt }) => sum + Math.max(0, (endedAt?.getTime() ?? now) - startedAt.getTime()),
    0,
  );
}

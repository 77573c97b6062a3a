import { FairSemaphore } from "./fair-semaphore.ts";

/** Calls under way at once, and what they may take. */
export interface CallLimits {
  /** What the limit is at first, and grows back to while calls are in time. */
  readonly initial: number;
  readonly min: number;
  readonly max: number;
  /** How long a call may take beyond twice its baseline before the limit falls, in milliseconds. */
  readonly slackMs: number;
}

/** What a window of calls showed. */
export interface CallWindow {
  /** Maximum of calls in flight. */
  readonly peak: number;
  /** Time that a call took, as a part of what it may take; the middle one of the window. */
  readonly ratio: number;
}

export const defaultCallLimits = { initial: 256, min: 32, max: 1_024, slackMs: 50 } as const satisfies CallLimits;

/** Share of the limit in use from which more may be asked for than there is. */
const wantedShare = 0.8;
const growthFactor = 1.1;
/** One window takes at most half of the limit away. */
const minFactor = 0.5;

/** The limit after a window: as much lower as calls took too long, a tenth higher where they were in time. */
export function limitAfter(limit: number, { peak, ratio }: CallWindow, { initial, min, max }: CallLimits): number {
  // From what was under way, not from a limit that was not reached; the least never is what makes calls slow.
  if (ratio > 1) {
    return peak <= min ? limit : Math.max(min, Math.min(limit, peak) * Math.max(minFactor, 1 / ratio));
  }
  const isWanted = peak >= limit * wantedShare;
  return Math.max(limit, Math.min(isWanted ? max : initial, limit * growthFactor));
}

/** Longest baseline, in milliseconds: what always takes longer is slow for another reason than load. */
const maxBaselineMs = 1_000;

/** The baseline of an operation after one more call in quiet times: near the quicker ones, moved little by any single one. */
export function baselineAfter(baselineMs: number | undefined, ms: number): number {
  if (baselineMs === undefined) return Math.min(ms, maxBaselineMs);
  return Math.min(maxBaselineMs, ms < baselineMs ? Math.max(ms, baselineMs * 0.9) : Math.min(ms, baselineMs * 1.02));
}

/** A call whose time is taken. */
export interface TimedCall {
  /** Calls of one name take about the same time. */
  readonly operation: string;
  /** When all of the request was there; undefined while it is not, and then its time is not counted. Default: at once. */
  readonly arrivedAt?: () => number | undefined;
}

/** Between two changes of the limit: the minimum of time and of calls. No more calls than the maximum are kept. */
const windowMs = 250;
const minCalls = 10;
const maxCalls = 256;
/** Share of the limit in use up to which times are quiet. */
const quietShare = 0.25;
/** Share of `min` in use up to which no queue is left: what was slow was a burst, and it is over. */
const drainedShare = 0.25;

/**
 * Bounds the calls of one service that are under way by how long they take (the gradient of Netflix' concurrency limits, held
 * against the baseline of each operation), and divides them fairly among organisations. Only a queue that stands lowers the
 * limit for long: after a burst that drains, the limit is `initial` again.
 */
export class CallLimit {
  readonly #limits: CallLimits;
  readonly #now: () => number;
  readonly #semaphore = new FairSemaphore();
  readonly #baselines = new Map<string, number>();
  #limit: number;
  #startedAt: number;
  #peak = 0;
  #ratios: number[] = [];

  constructor(limits: CallLimits, now: () => number = () => performance.now()) {
    this.#limits = limits;
    this.#now = now;
    this.#limit = limits.initial;
    this.#startedAt = now();
  }

  get limit(): number {
    return Math.floor(this.#limit);
  }

  get inFlight(): number {
    return this.#semaphore.total;
  }

  /** Whether only an organisation below its share gets a permit. */
  get isFull(): boolean {
    return this.#semaphore.total >= this.limit;
  }

  /** Whether there is no permit for a call of the organisation. It counts as asked for, like one that `begin` refuses. */
  refuses(organisationId: string): boolean {
    if (this.#semaphore.canAcquire(organisationId, this.limit)) return false;
    this.#peak = Math.max(this.#peak, this.#semaphore.total);
    return true;
  }

  /** Begins a call; the answer ends it. Undefined when there is no permit for the organisation. */
  begin(organisationId: string, call: TimedCall): (() => void) | undefined {
    if (!this.#semaphore.tryAcquire(organisationId, this.limit)) {
      // A refused call would have been one more.
      this.#peak = Math.max(this.#peak, this.#semaphore.total);
      return undefined;
    }
    const { total } = this.#semaphore;
    const isQuiet = total <= this.#limit * quietShare;
    this.#peak = Math.max(this.#peak, total);
    const begunAt = this.#now();
    return () => {
      this.#semaphore.release(organisationId);
      const startedAt = call.arrivedAt ? call.arrivedAt() : begunAt;
      // The time that a client takes to send says nothing of the service.
      if (startedAt !== undefined) this.#count(call.operation, this.#now() - startedAt, isQuiet);
      if (this.#semaphore.total <= this.#limits.min * drainedShare) this.#restore();
    };
  }

  #restore(): void {
    if (this.#limit >= this.#limits.initial) return;
    this.#limit = this.#limits.initial;
    this.#ratios = [];
  }

  #count(operation: string, ms: number, isQuiet: boolean): void {
    const baselineMs = this.#baselines.get(operation);
    if (isQuiet) this.#baselines.set(operation, baselineAfter(baselineMs, ms));
    if (this.#ratios.length < maxCalls) this.#ratios.push(ms / (2 * (baselineMs ?? 0) + this.#limits.slackMs));
    const now = this.#now();
    if (now - this.#startedAt < windowMs || this.#ratios.length < minCalls) return;
    const window = { peak: this.#peak, ratio: median(this.#ratios) };
    this.#limit = limitAfter(this.#limit, window, this.#limits);
    this.#startedAt = now;
    this.#peak = this.#semaphore.total;
    this.#ratios = [];
  }
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

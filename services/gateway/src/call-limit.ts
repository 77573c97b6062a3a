import { FairPlaces } from "./fair-places.ts";

/** Calls under way at once, and what they may take. */
export interface CallLimits {
  /** What the limit is at first, and grows back to while calls are in time. */
  readonly initial: number;
  readonly min: number;
  readonly max: number;
  /** How long a call may take beyond twice its usual time before the limit falls, in milliseconds. */
  readonly slackMs: number;
}

/** What a window of calls showed. */
export interface CallWindow {
  /** Most calls under way at once. */
  readonly peak: number;
  /** Time that a call took, as a part of what it may take; the middle one of the window. */
  readonly ratio: number;
}

export const usualCallLimits = { initial: 256, min: 32, max: 1_024, slackMs: 50 } as const satisfies CallLimits;

/** Share of the limit in use from which more may be asked for than there is. */
const wantedShare = 0.8;
const growth = 1.1;
/** One window takes at most half of the limit away. */
const steepestFall = 0.5;

/** The limit after a window: as much lower as calls took too long, a tenth higher where they were in time. */
export function limitAfter(limit: number, { peak, ratio }: CallWindow, { initial, min, max }: CallLimits): number {
  // From what was under way, not from a limit that was not reached; the least never is what makes calls slow.
  if (ratio > 1) {
    return peak <= min ? limit : Math.max(min, Math.min(limit, peak) * Math.max(steepestFall, 1 / ratio));
  }
  const isWanted = peak >= limit * wantedShare;
  return Math.max(limit, Math.min(isWanted ? max : initial, limit * growth));
}

/** Longest time that is held for usual, in milliseconds: what always takes longer is slow for another reason than load. */
const maxUsualMs = 1_000;

/** A call's usual time after one more in quiet times: near the quicker ones, moved little by any single one. */
export function usualAfter(usualMs: number | undefined, ms: number): number {
  if (usualMs === undefined) return Math.min(ms, maxUsualMs);
  return Math.min(maxUsualMs, ms < usualMs ? Math.max(ms, usualMs * 0.9) : Math.min(ms, usualMs * 1.02));
}

/** A call whose time is taken. */
export interface TimedCall {
  /** Calls of one name take about the same time. */
  readonly operation: string;
  /** When all of the request was there; undefined while it is not, and then its time is not counted. Default: at once. */
  readonly arrivedAt?: () => number | undefined;
}

/** Least time between two changes of the limit, and least calls that tell anything; more than the most are not kept. */
const windowMs = 250;
const minCalls = 10;
const maxCalls = 256;
/** Share of the limit in use up to which times are quiet. */
const quietShare = 0.25;
/** Share of `min` in use up to which no queue is left: what was slow was a burst, and it is over. */
const drainedShare = 0.25;

/**
 * Bounds the calls of one service that are under way by how long they take (the gradient of Netflix' concurrency limits, held
 * against each operation's usual time), and divides them fairly among organisations. Only a queue that stands lowers the
 * limit for long: after a burst that drains, the limit is `initial` again.
 */
export class CallLimit {
  readonly #limits: CallLimits;
  readonly #now: () => number;
  readonly #places = new FairPlaces();
  readonly #usual = new Map<string, number>();
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

  get underWay(): number {
    return this.#places.total;
  }

  /** Whether only an organisation below its share finds a place. */
  get isFull(): boolean {
    return this.#places.total >= this.limit;
  }

  /** Whether there is no place for a call of the organisation. It counts as asked for, like one that `begin` refuses. */
  refuses(organisationId: string): boolean {
    if (this.#places.hasPlace(organisationId, this.limit)) return false;
    this.#peak = Math.max(this.#peak, this.#places.total);
    return true;
  }

  /** Begins a call; the answer ends it. Undefined when there is no place for the organisation. */
  begin(organisationId: string, call: TimedCall): (() => void) | undefined {
    if (!this.#places.take(organisationId, this.limit)) {
      // A refused call would have been one more.
      this.#peak = Math.max(this.#peak, this.#places.total);
      return undefined;
    }
    const { total } = this.#places;
    const isQuiet = total <= this.#limit * quietShare;
    this.#peak = Math.max(this.#peak, total);
    const begunAt = this.#now();
    return () => {
      this.#places.give(organisationId);
      const startedAt = call.arrivedAt ? call.arrivedAt() : begunAt;
      // The time that a client takes to send says nothing of the service.
      if (startedAt !== undefined) this.#count(call.operation, this.#now() - startedAt, isQuiet);
      if (this.#places.total <= this.#limits.min * drainedShare) this.#restore();
    };
  }

  #restore(): void {
    if (this.#limit >= this.#limits.initial) return;
    this.#limit = this.#limits.initial;
    this.#ratios = [];
  }

  #count(operation: string, ms: number, isQuiet: boolean): void {
    const usualMs = this.#usual.get(operation);
    if (isQuiet) this.#usual.set(operation, usualAfter(usualMs, ms));
    if (this.#ratios.length < maxCalls) this.#ratios.push(ms / (2 * (usualMs ?? 0) + this.#limits.slackMs));
    const now = this.#now();
    if (now - this.#startedAt < windowMs || this.#ratios.length < minCalls) return;
    const window = { peak: this.#peak, ratio: middle(this.#ratios) };
    this.#limit = limitAfter(this.#limit, window, this.#limits);
    this.#startedAt = now;
    this.#peak = this.#places.total;
    this.#ratios = [];
  }
}

function middle(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

/** When a late event loop counts as overloaded. */
export interface LoopDelayLimits {
  /** Lateness of the loop that is still good, in milliseconds. Default 100. */
  readonly targetMs: number;
  /** How long the loop has to be later than that without a break, in milliseconds. Default 1,000. */
  readonly intervalMs: number;
}

/** What is known of the loop's lateness. */
export interface Lateness {
  /** When the loop became late; undefined while it is on time. */
  readonly since: number | undefined;
  /** Late turns in a row. */
  readonly turns: number;
}

export const onTime: Lateness = { since: undefined, turns: 0 };
const defaultLimits: LoopDelayLimits = { targetMs: 100, intervalMs: 1_000 };
/** A pause or two (garbage, a busy machine) leave a burst that goes away by itself; a queue that stands is late turn after turn. */
const minLateTurns = 3;
/** How often the loop is looked at, in milliseconds. */
const tickMs = 50;
/** So long after the last question nothing is measured: an idle process sleeps. */
const restAfterMs = 5_000;

/** The lateness after a turn that came `delayMs` late. */
export function lateAfter({ since, turns }: Lateness, now: number, delayMs: number, targetMs: number): Lateness {
  return delayMs <= targetMs ? onTime : { since: since ?? now - delayMs, turns: turns + 1 };
}

export function isOverloaded({ since, turns }: Lateness, now: number, intervalMs: number): boolean {
  return since !== undefined && turns >= minLateTurns && now - since >= intervalMs;
}

/**
 * Measures how late the event loop is: that is how long a request has waited before any of our code could see it. As in
 * CoDel, only the least delay within an interval tells a queue that stands from a burst.
 */
export class LoopDelay {
  readonly #limits: LoopDelayLimits;
  #timer: NodeJS.Timeout | undefined;
  #lateness = onTime;
  #isOverloaded = false;
  #lastTick = 0;
  #askedAt = 0;
  #isClosed = false;

  constructor(limits: Partial<LoopDelayLimits> = {}) {
    this.#limits = { ...defaultLimits, ...limits };
    this.#watch();
  }

  /** Whether new work should be refused: it would wait longer than a caller should. */
  get isOverloaded(): boolean {
    this.#watch();
    return this.#isOverloaded;
  }

  /** Whether it measures now. It does from a question until some seconds without one. */
  get isMeasuring(): boolean {
    return this.#timer !== undefined;
  }

  close(): void {
    this.#isClosed = true;
    this.#rest();
  }

  #watch(): void {
    this.#askedAt = performance.now();
    if (this.#timer || this.#isClosed) return;
    this.#lastTick = this.#askedAt;
    this.#timer = setInterval(() => this.#tick(), tickMs).unref();
  }

  #rest(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #tick(): void {
    const now = performance.now();
    const { targetMs, intervalMs } = this.#limits;
    this.#lateness = lateAfter(this.#lateness, now, now - this.#lastTick - tickMs, targetMs);
    this.#isOverloaded = isOverloaded(this.#lateness, now, intervalMs);
    this.#lastTick = now;
    if (this.#lateness === onTime && now - this.#askedAt >= restAfterMs) this.#rest();
  }
}

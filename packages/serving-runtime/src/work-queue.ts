import { PredictionError } from "./errors.ts";

export interface WorkLimits {
  /** Requests that are worked on at once. */
  readonly concurrency: number;
  /** Requests that wait beside them; more are refused. */
  readonly waiting: number;
  /** Longest time of a request, its wait included, ms. Half of it may be the wait: what begins shall have a chance to end. */
  readonly timeoutMs: number;
}

interface Waiting {
  readonly begin: () => void;
}

/** Works on so many requests at once, lets so many wait, and gives each so much time. */
export class WorkQueue {
  readonly #limits: WorkLimits;
  readonly #waiting = new Set<Waiting>();
  #working = 0;
  #lastUsedAt: Date | undefined;
  readonly #now: () => Date;

  constructor(limits: WorkLimits, now: () => Date) {
    this.#limits = limits;
    this.#now = now;
  }

  /** Requests under way, waiting ones included. */
  get inFlight(): number {
    return this.#working + this.#waiting.size;
  }

  /** When a request came or was answered last. */
  get lastUsedAt(): Date | undefined {
    return this.#lastUsedAt;
  }

  /**
   * Does the work when there is a place. `gone` aborts when the caller no longer waits for the answer.
   * @throws PredictionError too_many, waited_too_long, time_limit
   */
  async run<T>(work: (signal: AbortSignal) => Promise<T>, gone?: AbortSignal): Promise<T> {
    this.#lastUsedAt = this.#now();
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(), this.#limits.timeoutMs);
    const signal = gone ? AbortSignal.any([late.signal, gone]) : late.signal;
    try {
      await this.#place(signal);
      try {
        return await untilAborted(work(signal), signal, this.#limits.timeoutMs);
      } finally {
        this.#leave();
      }
    } finally {
      clearTimeout(timer);
      this.#lastUsedAt = this.#now();
    }
  }

  async #place(signal: AbortSignal): Promise<void> {
    if (this.#working < this.#limits.concurrency) {
      this.#working++;
      return;
    }
    if (this.#waiting.size >= this.#limits.waiting) {
      throw new PredictionError("too_many", "Too many predictions are asked for at once");
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const waiting: Waiting = { begin: resolve };
    const giveUp = () => {
      this.#waiting.delete(waiting);
      clearTimeout(giveUpTimer);
      reject(new PredictionError("waited_too_long", "The prediction's turn did not come in time"));
    };
    const giveUpTimer = setTimeout(giveUp, this.#limits.timeoutMs / 2);
    this.#waiting.add(waiting);
    if (signal.aborted) giveUp();
    else signal.addEventListener("abort", giveUp, { once: true });
    await promise;
    clearTimeout(giveUpTimer);
    signal.removeEventListener("abort", giveUp);
  }

  /** The caller that has waited longest takes over the place. */
  #leave(): void {
    const [next] = this.#waiting;
    if (next) {
      this.#waiting.delete(next);
      next.begin();
    } else this.#working--;
  }
}

function untilAborted<T>(work: Promise<T>, signal: AbortSignal, timeoutMs: number): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const giveUp = () => reject(new PredictionError("time_limit", `The prediction took longer than ${timeoutMs} ms`));
  // A signal that has already aborted no longer calls listeners.
  if (signal.aborted) giveUp();
  else signal.addEventListener("abort", giveUp, { once: true });
  return Promise.race([work, promise]).finally(() => signal.removeEventListener("abort", giveUp));
}

/** Wakes those who wait for a run to change. */
export class ChangeSignals {
  readonly #waiting = new Map<string, Set<() => void>>();
  readonly #drain = new AbortController();

  /** Whether waiting is over because this replica goes. */
  get draining(): boolean {
    return this.#drain.signal.aborted;
  }

  /** Something about the run is different. */
  wake(runId: string): void {
    for (const wake of this.#waiting.get(runId) ?? []) wake();
  }

  /** Begins to listen: a change between now and {@link ChangeWait.next} is not missed. */
  listen(runId: string): ChangeWait {
    const listeners = this.#waiting.get(runId) ?? new Set();
    this.#waiting.set(runId, listeners);
    return new ChangeWait(this.#drain.signal, listeners, () => {
      if (listeners.size === 0 && this.#waiting.get(runId) === listeners) this.#waiting.delete(runId);
    });
  }

  /** Ends every wait, now and later. */
  drain(): void {
    this.#drain.abort();
  }
}

/** One who waits. */
export class ChangeWait implements Disposable {
  readonly #drain: AbortSignal;
  readonly #listeners: Set<() => void>;
  readonly #left: () => void;
  #changed = false;
  #resolve: (() => void) | undefined;
  readonly #wake = () => {
    this.#changed = true;
    this.#resolve?.();
  };

  constructor(drain: AbortSignal, listeners: Set<() => void>, left: () => void) {
    this.#drain = drain;
    this.#listeners = listeners;
    this.#left = left;
    listeners.add(this.#wake);
  }

  /** Resolves at the first change since the last call, after `ms`, on abort or drain: whichever comes first. */
  async next(ms: number, signal: AbortSignal): Promise<void> {
    if (!this.#changed && !signal.aborted && !this.#drain.aborted) {
      const { promise, resolve: settle } = Promise.withResolvers<void>();
      const resolve = () => settle();
      this.#resolve = resolve;
      const timer = setTimeout(resolve, ms);
      signal.addEventListener("abort", resolve);
      this.#drain.addEventListener("abort", resolve);
      await promise;
      clearTimeout(timer);
      signal.removeEventListener("abort", resolve);
      this.#drain.removeEventListener("abort", resolve);
      this.#resolve = undefined;
    }
    this.#changed = false;
  }

  [Symbol.dispose](): void {
    this.#listeners.delete(this.#wake);
    this.#left();
  }
}

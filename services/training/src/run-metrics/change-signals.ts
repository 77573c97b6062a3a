import { setTimeout as delay } from "node:timers/promises";

/** Notifies the readers that wait for a run to change. */
export class ChangeSignals {
  readonly #listeners = new Map<string, Set<() => void>>();
  readonly #drain = new AbortController();

  /** Whether this replica drains, and waiting is over. */
  get draining(): boolean {
    return this.#drain.signal.aborted;
  }

  /** Something about the run is different. */
  notify(runId: string): void {
    for (const notify of this.#listeners.get(runId) ?? []) notify();
  }

  /** Begins to listen: a change between now and {@link ChangeListener.next} is not missed. */
  listen(runId: string): ChangeListener {
    const listeners = this.#listeners.get(runId) ?? new Set();
    this.#listeners.set(runId, listeners);
    return new ChangeListener(this.#drain.signal, listeners, () => {
      if (listeners.size === 0 && this.#listeners.get(runId) === listeners) this.#listeners.delete(runId);
    });
  }

  /** Ends every wait, now and later. */
  drain(): void {
    this.#drain.abort();
  }
}

class ChangeListener implements Disposable {
  readonly #drain: AbortSignal;
  readonly #listeners: Set<() => void>;
  readonly #left: () => void;
  #changed = false;
  #resolve: (() => void) | undefined;
  readonly #notify = () => {
    this.#changed = true;
    this.#resolve?.();
  };

  constructor(drain: AbortSignal, listeners: Set<() => void>, left: () => void) {
    this.#drain = drain;
    this.#listeners = listeners;
    this.#left = left;
    listeners.add(this.#notify);
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
    this.#listeners.delete(this.#notify);
    this.#left();
  }
}

/** Resolves after `ms`, or as soon as the signal aborts. Leaves nothing on the signal: a stream pauses at each event. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  if (ms > 0) await delay(ms, undefined, { signal }).catch(() => undefined);
}

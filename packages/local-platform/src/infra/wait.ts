/** How long and how often to look. */
export interface UntilOptions {
  /** Milliseconds until it is given up. */
  withinMs: number;
  /** Milliseconds between two looks. Default: 25 at first, then a tenth of the time waited, up to 250. */
  everyMs?: number;
  /** What to say when it is given up. */
  otherwise: () => Error;
}

/**
 * Looks again and again until `look` answers something else than undefined, and answers that.
 * An error from `look` ends the wait.
 */
export async function until<T>(look: () => Promise<T | undefined> | T | undefined, options: UntilOptions): Promise<T> {
  const begin = performance.now();
  for (;;) {
    const seen = await look();
    if (seen !== undefined) return seen;
    const elapsedMs = performance.now() - begin;
    if (elapsedMs >= options.withinMs) throw options.otherwise();
    const pauseMs = options.everyMs ?? Math.min(Math.max(elapsedMs / 10, 25), 250);
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}

/** What `work` answers, unless the signal is given first: then its reason is thrown, and `work` goes on unheard. */
export async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return work;
  const { promise, reject } = Promise.withResolvers<never>();
  const abort = () => reject(signal.reason);
  if (signal.aborted) abort();
  signal.addEventListener("abort", abort, { once: true });
  try {
    return await Promise.race([work, promise]);
  } finally {
    signal.removeEventListener("abort", abort);
  }
}

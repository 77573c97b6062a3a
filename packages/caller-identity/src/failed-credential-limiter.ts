import { Code, ConnectError } from "@connectrpc/connect";
import { LRUCache } from "lru-cache";
import { rateLimitError, retryAfterMs } from "./rate-limit-error.ts";
import { refusal } from "./refusal.ts";
import { SourceCounter, type SourceCounts } from "./source-counter.ts";

export interface FailedCredentialLimiterOptions {
  /** The failed credential of one source within a minute that is rejected instead of being tried; at least 2. */
  perMinute: number;
  /** Counts failures. Default: in memory, of 20,000 sources at most. */
  failures?: SourceCounts;
  /** Whether an attempt failed because the credential is bad. Default: by UNAUTHENTICATED. */
  isBad?: (error: unknown) => boolean;
  /** Credentials of one source that may be tried or wait at once; default 512. */
  maxInFlight?: number;
  /** Milliseconds that a credential may wait for those of its source that are being tried. Default 5,000. */
  timeoutMs?: number;
}

/** Credentials of one source. Some are tried, others wait because the tried ones may all turn out bad. */
interface Attempts {
  /** With those that wait, and those whose source is being looked up. */
  all: number;
  inFlight: number;
  /** Grows with every failure, so that a count that was overtaken by one is noticed. */
  failures: number;
  readonly waiters: (() => void)[];
}

/** Seconds in which the failures of a source are counted, from its first one on. */
export const failureWindowSeconds = 60;
const maxSources = 20_000;

/**
 * Bounds how many bad credentials a source gets to try in a minute, also when it sends them all at once: what is under
 * way counts as bad until it is known to be good, and what might be one too many waits for that.
 */
export class FailedCredentialLimiter {
  readonly #maxFailures: number;
  readonly #timeoutMs: number;
  readonly #maxInFlight: number;
  readonly #failures: SourceCounts;
  readonly #isBad: (error: unknown) => boolean;
  readonly #attempts = new Map<string, Attempts>();
  /** Sources that identity, which counts over all replicas, rejects: it is not asked again until then. */
  readonly #rejectedUntil = new LRUCache<string, true>({ max: maxSources });

  constructor({ perMinute, maxInFlight = 512, timeoutMs = 5_000, ...o }: FailedCredentialLimiterOptions) {
    this.#maxFailures = perMinute - 1;
    this.#timeoutMs = timeoutMs;
    this.#maxInFlight = maxInFlight;
    this.#failures = o.failures ?? new SourceCounter({ seconds: failureWindowSeconds, sources: maxSources });
    this.#isBad = o.isBad ?? isUnauthenticated;
  }

  /**
   * Tries a credential that `source` shows.
   * @throws what `attempt` throws; RESOURCE_EXHAUSTED without calling it, when too many failed before or are under way
   */
  async attempt<T>(source: string, attempt: () => Promise<T>): Promise<T> {
    const attempts = this.#attempts.get(source) ?? { all: 0, inFlight: 0, failures: 0, waiters: [] };
    this.#attempts.set(source, attempts);
    attempts.all += 1;
    try {
      await this.#acquire(source, attempts);
      return await this.#try(source, attempts, attempt);
    } finally {
      attempts.all -= 1;
      attempts.waiters.shift()?.();
      if (attempts.all === 0) this.#attempts.delete(source);
    }
  }

  async #try<T>(source: string, attempts: Attempts, attempt: () => Promise<T>): Promise<T> {
    try {
      return await attempt();
    } catch (error) {
      // Before the attempt ends, or the next would find neither it nor its failure.
      await this.#learn(source, attempts, error);
      throw error;
    } finally {
      attempts.inFlight -= 1;
    }
  }

  async #learn(source: string, attempts: Attempts, error: unknown): Promise<void> {
    const ttl = retryAfterMs(error);
    if (ttl !== undefined) this.#rejectedUntil.set(source, true, { ttl });
    if (!this.#isBad(error)) return;
    await this.#failures.add(source);
    // Not before: a reader that began while it was being counted has to read again.
    attempts.failures += 1;
  }

  async #acquire(source: string, attempts: Attempts): Promise<void> {
    let timeout: AbortSignal | undefined;
    for (;;) {
      const seen = attempts.failures;
      const { times, resetMs } = await this.#failures.read(source);
      if (seen !== attempts.failures) continue;
      const afterMs = times >= this.#maxFailures ? resetMs : this.#rejectedUntil.getRemainingTTL(source);
      if (afterMs > 0) throw rateLimitError("TOO_MANY_FAILED_CREDENTIALS", { afterMs });
      if (times + attempts.inFlight < this.#maxFailures) {
        attempts.inFlight += 1;
        // There may be room for one more.
        attempts.waiters.shift()?.();
        return;
      }
      if (!timeout && attempts.inFlight + attempts.waiters.length >= this.#maxInFlight)
        throw rateLimitError("TOO_MANY_CONCURRENT");
      timeout ??= AbortSignal.timeout(this.#timeoutMs);
      await waitForTurn(attempts, timeout);
    }
  }
}

function isUnauthenticated(error: unknown): boolean {
  return ConnectError.from(error).code === Code.Unauthenticated;
}

/** Resolves when it is this one's turn. @throws UNAVAILABLE at the timeout: those tried get no answer either. */
function waitForTurn({ waiters }: Attempts, timeout: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const called = () => {
      timeout.removeEventListener("abort", left);
      resolve();
    };
    const left = () => {
      waiters.splice(waiters.indexOf(called), 1);
      reject(refusal("IDENTITY_UNAVAILABLE"));
    };
    waiters.push(called);
    timeout.addEventListener("abort", left, { once: true });
  });
}

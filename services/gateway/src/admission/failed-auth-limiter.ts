import { refusal } from "@aiplatform/caller-identity";
import { Code, ConnectError } from "@connectrpc/connect";
import { rateLimitError } from "./rate-limit-error.ts";
import { SourceCounter } from "./source-counter.ts";

export interface FailedAuthLimiterOptions {
  /** The failed credential of one source within a minute that is put off instead of being tried; at least 2. */
  perMinute: number;
  /** Sources remembered at most. Default 20,000. */
  sources?: number;
  /** Credentials of one source that may be tried or wait at once; default 512. */
  maxInFlight?: number;
  /** Milliseconds that a credential may wait for those of its source that are being tried. Default 5,000. */
  timeoutMs?: number;
}

/** Credentials of one source that are being tried, and those that wait because the tried ones may all turn out bad. */
interface Attempts {
  inFlight: number;
  readonly waiters: (() => void)[];
}

const windowSeconds = 60;

/**
 * Bounds how many bad credentials a source gets to try in a minute, also when it sends them all at once: what is under
 * way counts as bad until it is known to be good, and what might be one too many waits for that.
 */
export class FailedAuthLimiter {
  readonly #maxFailures: number;
  readonly #timeoutMs: number;
  readonly #maxInFlight: number;
  readonly #failures: SourceCounter;
  readonly #attempts = new Map<string, Attempts>();
  /** Grows with every failure of any source, so that a count that was overtaken by one is noticed. */
  #failuresSeen = 0;

  constructor({ perMinute, sources = 20_000, maxInFlight = 512, timeoutMs = 5_000 }: FailedAuthLimiterOptions) {
    this.#maxFailures = perMinute - 1;
    this.#timeoutMs = timeoutMs;
    this.#maxInFlight = maxInFlight;
    this.#failures = new SourceCounter({ seconds: windowSeconds, sources });
  }

  /**
   * Tries a credential that `source` shows.
   * @throws what `attempt` throws; RESOURCE_EXHAUSTED without calling it, when too many failed before or are under way
   */
  async attempt<T>(source: string, attempt: () => Promise<T>): Promise<T> {
    const attempts = await this.#acquire(source);
    try {
      return await attempt();
    } catch (error) {
      // Before the attempt ends, or the next would find neither it nor its failure.
      if (ConnectError.from(error).code === Code.Unauthenticated) await this.#countFailure(source);
      throw error;
    } finally {
      attempts.inFlight -= 1;
      this.#wakeNext(source, attempts);
    }
  }

  async #countFailure(source: string): Promise<void> {
    this.#failuresSeen += 1;
    await this.#failures.add(source);
  }

  async #acquire(source: string): Promise<Attempts> {
    let timeout: AbortSignal | undefined;
    for (;;) {
      const seen = this.#failuresSeen;
      const { times, resetMs } = await this.#failures.read(source);
      if (seen !== this.#failuresSeen) continue;
      const attempts = this.#attempts.get(source) ?? { inFlight: 0, waiters: [] };
      if (times >= this.#maxFailures) {
        this.#wakeNext(source, attempts);
        throw rateLimitError("TOO_MANY_FAILED_CREDENTIALS", { afterMs: resetMs });
      }
      this.#attempts.set(source, attempts);
      if (times + attempts.inFlight < this.#maxFailures) {
        attempts.inFlight += 1;
        if (attempts.waiters.length > 0) this.#wakeNext(source, attempts);
        return attempts;
      }
      if (!timeout && attempts.inFlight + attempts.waiters.length >= this.#maxInFlight)
        throw rateLimitError("TOO_MANY_CONCURRENT");
      timeout ??= AbortSignal.timeout(this.#timeoutMs);
      await waitForTurn(attempts, timeout);
    }
  }

  /** Lets the first waiter look again. */
  #wakeNext(source: string, attempts: Attempts): void {
    const next = attempts.waiters.shift();
    if (next) next();
    else if (attempts.inFlight === 0) this.#attempts.delete(source);
  }
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

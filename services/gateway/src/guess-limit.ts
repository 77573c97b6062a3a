import { refusal } from "@aiplatform/caller-identity";
import { Code, ConnectError } from "@connectrpc/connect";
import { SourceCounter } from "./source-counter.ts";
import { tryLater } from "./try-later.ts";

export interface GuessLimitOptions {
  /** The failed credential of one source within a minute that is put off instead of being tried; at least 2. */
  perMinute: number;
  /** Sources remembered at most. Default 20,000. */
  sources?: number;
  /** Credentials of one source that may be tried or wait at once; default 512. */
  underWay?: number;
  /** Milliseconds that a credential may wait for those of its source that are being tried. Default 5,000. */
  waitMs?: number;
}

/** Credentials of one source that are being tried, and those that wait because the tried ones may all turn out bad. */
interface Crowd {
  underWay: number;
  readonly waiting: (() => void)[];
}

const windowSeconds = 60;

/**
 * Bounds how many bad credentials a source gets to try in a minute, also when it sends them all at once: what is under
 * way counts as bad until it is known to be good, and what might be one too many waits for that.
 */
export class GuessLimit {
  readonly #most: number;
  readonly #waitMs: number;
  readonly #maxUnderWay: number;
  readonly #failures: SourceCounter;
  readonly #crowds = new Map<string, Crowd>();
  /** Grows with every failure of any source, so that a count that was overtaken by one is noticed. */
  #failuresSeen = 0;

  constructor({ perMinute, sources = 20_000, underWay = 512, waitMs = 5_000 }: GuessLimitOptions) {
    this.#most = perMinute - 1;
    this.#waitMs = waitMs;
    this.#maxUnderWay = underWay;
    this.#failures = new SourceCounter({ seconds: windowSeconds, sources });
  }

  /**
   * Tries a credential that `source` shows.
   * @throws what `attempt` throws; RESOURCE_EXHAUSTED without calling it, when too many failed before or are under way
   */
  async attempt<T>(source: string, attempt: () => Promise<T>): Promise<T> {
    const crowd = await this.#enter(source);
    try {
      return await attempt();
    } catch (error) {
      // Before the place is released, or the next would find neither the place taken nor the failure.
      if (ConnectError.from(error).code === Code.Unauthenticated) await this.#countFailure(source);
      throw error;
    } finally {
      crowd.underWay -= 1;
      this.#callNext(source, crowd);
    }
  }

  async #countFailure(source: string): Promise<void> {
    this.#failuresSeen += 1;
    await this.#failures.add(source);
  }

  async #enter(source: string): Promise<Crowd> {
    let patience: AbortSignal | undefined;
    for (;;) {
      const seen = this.#failuresSeen;
      const { times, endsInMs } = await this.#failures.read(source);
      if (seen !== this.#failuresSeen) continue;
      const crowd = this.#crowds.get(source) ?? { underWay: 0, waiting: [] };
      if (times >= this.#most) {
        this.#callNext(source, crowd);
        throw tryLater("TOO_MANY_FAILED_CREDENTIALS", endsInMs);
      }
      this.#crowds.set(source, crowd);
      if (times + crowd.underWay < this.#most) {
        crowd.underWay += 1;
        if (crowd.waiting.length > 0) this.#callNext(source, crowd);
        return crowd;
      }
      if (!patience && crowd.underWay + crowd.waiting.length >= this.#maxUnderWay)
        throw tryLater("TOO_MANY_CONCURRENT");
      patience ??= AbortSignal.timeout(this.#waitMs);
      await turn(crowd, patience);
    }
  }

  /** Lets the one that waits longest look again. */
  #callNext(source: string, crowd: Crowd): void {
    const next = crowd.waiting.shift();
    if (next) next();
    else if (crowd.underWay === 0) this.#crowds.delete(source);
  }
}

/** Resolves when it is this one's turn. @throws UNAVAILABLE when patience ends: those tried get no answer either. */
function turn({ waiting }: Crowd, patience: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const called = () => {
      patience.removeEventListener("abort", left);
      resolve();
    };
    const left = () => {
      waiting.splice(waiting.indexOf(called), 1);
      reject(refusal("IDENTITY_UNAVAILABLE"));
    };
    waiting.push(called);
    patience.addEventListener("abort", left, { once: true });
  });
}

/** What is left of an organisation's rate. */
export interface RateLimitState {
  /** Requests that are left. */
  readonly remaining: number;
  /** Time until the bucket is full again, ms. */
  readonly resetMs: number;
}

interface Bucket {
  tokens: number;
  at: number;
}

const secondMs = 1_000;

/**
 * A token bucket for each organisation: a second's requests at once, and what was used comes back evenly. An
 * organisation far above its rate is served one request after the other, where windows would let in a second's worth
 * together, ahead of all other callers.
 */
export class TokenBuckets {
  readonly #perSecond: number;
  readonly #now: () => number;
  readonly #buckets = new Map<string, Bucket>();
  #prunedAt = Number.NEGATIVE_INFINITY;
  #exhaustedUntil = Number.NEGATIVE_INFINITY;

  constructor(perSecond: number, now: () => number = () => performance.now()) {
    this.#perSecond = perSecond;
    this.#now = now;
  }

  /** Whether some organisation may have nothing left: one had nothing within the last second. */
  get isAnyExhausted(): boolean {
    return this.#now() < this.#exhaustedUntil;
  }

  read(organisationId: string): RateLimitState {
    const tokens = this.#tokens(organisationId, this.#now());
    return {
      remaining: Math.floor(tokens),
      resetMs: ((this.#perSecond - tokens) / this.#perSecond) * secondMs,
    };
  }

  /** Takes one token; the answer refunds it. Undefined when nothing is left. */
  take(organisationId: string): (() => void) | undefined {
    const now = this.#now();
    this.#prune(now);
    const tokens = this.#tokens(organisationId, now);
    if (tokens < 2) this.#exhaustedUntil = now + secondMs;
    if (tokens < 1) return undefined;
    this.#buckets.set(organisationId, { tokens: tokens - 1, at: now });
    return () => {
      const then = this.#now();
      const tokens = Math.min(this.#perSecond, this.#tokens(organisationId, then) + 1);
      this.#buckets.set(organisationId, { tokens, at: then });
    };
  }

  #tokens(organisationId: string, now: number): number {
    const bucket = this.#buckets.get(organisationId);
    if (!bucket) return this.#perSecond;
    return Math.min(this.#perSecond, bucket.tokens + ((now - bucket.at) / secondMs) * this.#perSecond);
  }

  /** Forgets buckets that are full again. */
  #prune(now: number): void {
    if (now - this.#prunedAt < secondMs) return;
    this.#prunedAt = now;
    for (const organisationId of this.#buckets.keys()) {
      if (this.#tokens(organisationId, now) >= this.#perSecond) this.#buckets.delete(organisationId);
    }
  }
}

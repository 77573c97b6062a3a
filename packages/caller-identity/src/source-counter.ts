import { LRUCache } from "lru-cache";
import { RateLimiterMemory, type RateLimiterRes } from "rate-limiter-flexible";

/** How often something happened at a source. */
export interface Count {
  readonly times: number;
  /** Milliseconds until it is forgotten. */
  readonly resetMs: number;
}

/** Counts by source, each within a window that begins with its first. */
export interface SourceCounts {
  read(source: string): Promise<Count>;
  add(source: string): Promise<Count>;
}

/**
 * Counts in memory. Keeps at most `sources` of them and forgets the one that was quiet longest, so that no number of
 * addresses costs more than that.
 */
export class SourceCounter implements SourceCounts {
  readonly #counts: RateLimiterMemory;
  readonly #recent: LRUCache<string, true>;

  constructor({ seconds, sources }: { seconds: number; sources: number }) {
    this.#counts = new RateLimiterMemory({ points: Number.MAX_SAFE_INTEGER, duration: seconds });
    this.#recent = new LRUCache({
      max: sources,
      noDisposeOnSet: true,
      dispose: (_, source) => void this.#counts.delete(source),
    });
  }

  async read(source: string): Promise<Count> {
    return countOf(await this.#counts.get(source));
  }

  async add(source: string): Promise<Count> {
    this.#recent.set(source, true);
    return countOf(await this.#counts.penalty(source));
  }
}

/** What the library says of a source as a count. */
export function countOf(found: RateLimiterRes | null): Count {
  return found && found.msBeforeNext > 0
    ? { times: found.consumedPoints, resetMs: found.msBeforeNext }
    : { times: 0, resetMs: 0 };
}

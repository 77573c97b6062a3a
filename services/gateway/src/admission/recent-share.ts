/** Counters; callers that meet in one are counted as one, which many counters make rare. */
const buckets = 1_024;
const spanMs = 1_000;

/** What is known of one caller's requests of the last seconds. */
export interface Share {
  /** Its own. */
  readonly own: number;
  /** Those of all callers. */
  readonly total: number;
  /** How many callers they are of. */
  readonly active: number;
}

/** Whether a caller asks for so little, less than half of what callers ask for on average, that refusing it would not help. */
export function isSmall({ own, total, active }: Share): boolean {
  return own * active < total / 2;
}

/** Counts requests of the last one to two seconds by caller, in memory that does not grow with their number. */
export class RecentShares {
  readonly #now: () => number;
  #current = new Uint32Array(buckets);
  #previous = new Uint32Array(buckets);
  #total = { current: 0, previous: 0 };
  #active = 0;
  #turnsAt: number;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
    this.#turnsAt = now() + spanMs;
  }

  /** Counts a request, and answers what its caller's share is with it. */
  add(caller: string): Share {
    this.#turn();
    const bucket = bucketOf(caller);
    const [current = 0, previous = 0] = [this.#current[bucket], this.#previous[bucket]];
    if (current + previous === 0) this.#active += 1;
    this.#current[bucket] = current + 1;
    this.#total.current += 1;
    return {
      own: current + previous + 1,
      total: this.#total.current + this.#total.previous,
      active: this.#active,
    };
  }

  #turn(): void {
    const now = this.#now();
    if (now < this.#turnsAt) return;
    const isLongAgo = now >= this.#turnsAt + spanMs;
    [this.#current, this.#previous] = [this.#previous.fill(0), isLongAgo ? this.#current.fill(0) : this.#current];
    this.#total = { current: 0, previous: isLongAgo ? 0 : this.#total.current };
    this.#active = this.#previous.reduce((count, requests) => count + (requests > 0 ? 1 : 0), 0);
    this.#turnsAt = now + spanMs;
  }
}

/** FNV-1a over the end, where credentials differ. */
function bucketOf(caller: string): number {
  let hash = 0x811c9dc5;
  for (let index = Math.max(0, caller.length - 24); index < caller.length; index += 1) {
    hash = Math.imul(hash ^ caller.charCodeAt(index), 0x01000193);
  }
  return (hash >>> 0) % buckets;
}

/** What decides about a permit. */
export interface Acquisition {
  /** Permits there are. */
  readonly limit: number;
  /** Permits of all holders. */
  readonly total: number;
  /** Permits of the one that asks. */
  readonly own: number;
  /** Holders, with the one that asks. */
  readonly active: number;
}

/**
 * A holder below an equal share always gets a permit, even where another has more than its own; beyond the share whatever is
 * free may be used. So at most `limit` permits and one share each are out.
 */
export function mayAcquire({ limit, total, own, active }: Acquisition): boolean {
  return total < limit || own < Math.max(1, Math.floor(limit / active));
}

/** A semaphore whose permits are divided fairly among its holders. */
export class FairSemaphore {
  readonly #held = new Map<string, number>();
  #total = 0;

  get total(): number {
    return this.#total;
  }

  /** Whether `holder` may have one of `limit` permits. */
  canAcquire(holder: string, limit: number): boolean {
    const own = this.#held.get(holder) ?? 0;
    const active = this.#held.size + (own === 0 ? 1 : 0);
    return mayAcquire({ limit, total: this.#total, own, active });
  }

  /** Takes one of `limit` permits; false when there is none for `holder`. */
  tryAcquire(holder: string, limit: number): boolean {
    if (!this.canAcquire(holder, limit)) return false;
    this.#held.set(holder, (this.#held.get(holder) ?? 0) + 1);
    this.#total += 1;
    return true;
  }

  release(holder: string): void {
    const left = (this.#held.get(holder) ?? 1) - 1;
    if (left === 0) this.#held.delete(holder);
    else this.#held.set(holder, left);
    this.#total -= 1;
  }
}

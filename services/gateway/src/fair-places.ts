/** What is known when a place is asked for. */
export interface Claim {
  /** Places there are. */
  readonly limit: number;
  /** Places taken by all callers. */
  readonly total: number;
  /** Places taken by who asks. */
  readonly own: number;
  /** How many have places or want one, who asks included. */
  readonly active: number;
}

/**
 * Who is below an equal share always gets a place, even where another has taken more than its own; beyond the share whatever
 * is free may be used. So at most `limit` places and one share each are taken.
 */
export function mayTake({ limit, total, own, active }: Claim): boolean {
  return total < limit || own < Math.max(1, Math.floor(limit / active));
}

/** Counts places by who has them. */
export class FairPlaces {
  readonly #taken = new Map<string, number>();
  #total = 0;

  get total(): number {
    return this.#total;
  }

  /** Whether `who` may take one of `limit` places. */
  hasPlace(who: string, limit: number): boolean {
    const own = this.#taken.get(who) ?? 0;
    const active = this.#taken.size + (own === 0 ? 1 : 0);
    return mayTake({ limit, total: this.#total, own, active });
  }

  /** Takes one of `limit` places; false when there is none for `who`. */
  take(who: string, limit: number): boolean {
    if (!this.hasPlace(who, limit)) return false;
    this.#taken.set(who, (this.#taken.get(who) ?? 0) + 1);
    this.#total += 1;
    return true;
  }

  /** Gives one back. */
  give(who: string): void {
    const left = (this.#taken.get(who) ?? 1) - 1;
    if (left === 0) this.#taken.delete(who);
    else this.#taken.set(who, left);
    this.#total -= 1;
  }
}

/** Places that are taken at once, by who has them. */
export class Places {
  readonly #most: number;
  readonly #taken = new Map<string, number>();

  constructor(most: number) {
    this.#most = most;
  }

  /** Whether `who` has all of them. */
  isFull(who: string): boolean {
    return (this.#taken.get(who) ?? 0) >= this.#most;
  }

  /** Answers how to give the place back, or undefined when `who` has all of them. */
  take(who: string): (() => void) | undefined {
    if (this.isFull(who)) return undefined;
    this.#taken.set(who, (this.#taken.get(who) ?? 0) + 1);
    return () => {
      const left = (this.#taken.get(who) ?? 1) - 1;
      if (left === 0) this.#taken.delete(who);
      else this.#taken.set(who, left);
    };
  }
}

/** Random choices that can be made again: equal seeds give equal choices. */
export class Dice {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** At least 0, less than 1 (mulberry32). */
  roll(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** A whole number less than `end`. */
  below(end: number): number {
    return Math.floor(this.roll() * end);
  }

  chance(share: number): boolean {
    return this.roll() < share;
  }

  /** One of several; there must be one. */
  of<T>(choices: readonly T[]): T {
    // The index is in range, and what is there may be undefined.
    return choices[this.below(choices.length)] as T;
  }
}

/** A semaphore for each holder: how many permits one may have at once. */
export class Semaphore {
  readonly #max: number;
  readonly #held = new Map<string, number>();

  constructor(max: number) {
    this.#max = max;
  }

  /** Whether `holder` has all permits. */
  isFull(holder: string): boolean {
    return (this.#held.get(holder) ?? 0) >= this.#max;
  }

  /** Takes a permit; the answer releases it. Undefined when `holder` has all. */
  tryAcquire(holder: string): (() => void) | undefined {
    if (this.isFull(holder)) return undefined;
    this.#held.set(holder, (this.#held.get(holder) ?? 0) + 1);
    return () => {
      const left = (this.#held.get(holder) ?? 1) - 1;
      if (left === 0) this.#held.delete(holder);
      else this.#held.set(holder, left);
    };
  }
}

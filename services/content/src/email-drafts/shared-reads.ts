import { setTimeout as delay } from "node:timers/promises";

/** Lets many who ask for the same share one read, so that the database is asked no oftener than once in a window. */
export class SharedReads<T> {
  readonly #windowMs: number;
  readonly #reads = new Map<string, Promise<T>>();

  /** `windowMs`: age at which an answer is too old for a new reader, ms. */
  constructor(windowMs: number) {
    this.#windowMs = windowMs;
  }

  /** The answer of the window's first reader. @throws what the read throws, for all who share it */
  read(key: string, work: () => Promise<T>): Promise<T> {
    const known = this.#reads.get(key);
    if (known) return known;
    const reading = work();
    this.#reads.set(key, reading);
    // A slow database is not asked again before it has answered.
    const over = Promise.allSettled([reading, delay(this.#windowMs, undefined, { ref: false })]);
    void over.then(() => this.#reads.delete(key));
    return reading;
  }
}

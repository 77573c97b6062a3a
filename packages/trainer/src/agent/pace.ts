import { setTimeout } from "node:timers/promises";

/** Keeps a loop from running faster than it should; what was slow is not made up for by hurrying. */
export class Pace {
  readonly #intervalMs: number;
  #due = 0;

  /** 0: as fast as it goes. */
  constructor(stepsPerSecond: number) {
    this.#intervalMs = stepsPerSecond > 0 ? 1_000 / stepsPerSecond : 0;
  }

  /** Resolves when the next step is due. */
  async wait(): Promise<void> {
    const now = performance.now();
    const early = this.#due - now;
    this.#due = Math.max(this.#due, now - 100) + this.#intervalMs;
    if (early >= 1) await setTimeout(early);
  }
}

import { setTimeout } from "node:timers/promises";

const firstMs = 200;
const longestMs = 10_000;

/** Pauses between attempts: up to ten seconds, each a random share of its max, so trainers do not retry in step. */
export class BackOff {
  #boundMs = firstMs;

  /** The last attempt went well: the next pause is short again. */
  reset(): void {
    this.#boundMs = firstMs;
  }

  /** Resolves when it is time for the next attempt, or at once when the signal is given. */
  async pause(signal: AbortSignal): Promise<void> {
    const pauseMs = Math.random() * this.#boundMs;
    this.#boundMs = Math.min(this.#boundMs * 2, longestMs);
    await setTimeout(pauseMs, undefined, { signal }).catch(() => undefined);
  }
}

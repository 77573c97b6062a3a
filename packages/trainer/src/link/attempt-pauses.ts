import { type Backoff, backoffMs, pause } from "@aiplatform/backoff";

const bounds: Backoff = { minMs: 200, maxMs: 10_000 };

/** Counts the attempts that failed in a row, and pauses after each of them. */
export class AttemptPauses {
  #failures = 0;

  /** The last attempt went well: the next pause is short again. */
  reset(): void {
    this.#failures = 0;
  }

  /** Resolves when it is time for the next attempt, or at once when the signal is given. */
  async pause(signal: AbortSignal): Promise<void> {
    this.#failures += 1;
    await pause(backoffMs(bounds, this.#failures), signal);
  }
}

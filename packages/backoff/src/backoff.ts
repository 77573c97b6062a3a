import { setTimeout as delay } from "node:timers/promises";

/** Bounds of the pause between two attempts. */
export interface Backoff {
  /** Pause after the first failure, ms. */
  readonly minMs: number;
  /** Longest pause, ms. */
  readonly maxMs: number;
}

/**
 * The pause after `failures` failures in a row, ms: it doubles with each of them up to `maxMs`, and half of it is random.
 * Zero without a failure. `random` gives a number in [0, 1); default `Math.random`.
 */
export function backoffMs({ minMs, maxMs }: Backoff, failures: number, random: () => number = Math.random): number {
  if (failures < 1) return 0;
  return Math.min(maxMs, minMs * 2 ** (failures - 1)) * (0.5 + random() / 2);
}

/** Resolves after `ms`, or at once when `signal` aborts. It does not keep the process alive. */
export async function pause(ms: number, signal?: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal, ref: false }).catch(() => undefined);
}

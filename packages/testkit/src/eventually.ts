import { setTimeout as pause } from "node:timers/promises";

/**
 * Looks every few milliseconds until there is something to see, and answers it; the test's own time-out ends a wait that never
 * succeeds.
 */
export async function eventually<T>(look: () => Promise<T | undefined | false> | T | undefined | false): Promise<T> {
  for (;;) {
    const seen = await look();
    if (seen !== undefined && seen !== false) return seen;
    await pause(5);
  }
}

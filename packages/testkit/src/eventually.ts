import { setTimeout as pause } from "node:timers/promises";

/** Below the time-out of a test, so that the reason is what the report shows. */
const defaultWithinMs = 50_000;
const everyMs = 5;

/**
 * Looks every few milliseconds until there is something to see, and answers it. `what` says what is waited for; default:
 * the source of `look`.
 * @throws Error that names it and what was seen last, when it is not seen within the time
 */
export async function eventually<T>(
  look: () => Promise<T | undefined | false> | T | undefined | false,
  what?: string,
  withinMs = defaultWithinMs,
): Promise<T> {
  for (const end = performance.now() + withinMs; ; await pause(everyMs)) {
    const seen = await look();
    if (seen !== undefined && seen !== false) return seen;
    if (performance.now() < end) continue;
    throw new Error(`timed out after ${withinMs} ms waiting for ${what ?? sourceOf(look)}; last seen: ${seen}`);
  }
}

function sourceOf(look: () => unknown): string {
  return look.toString().replaceAll(/\s+/g, " ").slice(0, 200);
}

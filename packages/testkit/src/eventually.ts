import { setTimeout as pause } from "node:timers/promises";

/** Below the time-out of a test, so that the reason is what the report shows. */
const defaultWithinMs = 50_000;
const minPauseMs = 5;
const maxPauseMs = 250;
/** Of the time that the wait has taken so far: looking is to cost little beside what is waited for. */
const pauseShare = 0.2;

/**
 * Looks until there is something to see, less and less often, and answers it. `what` says what is waited for; default:
 * the source of `look`.
 * @throws Error that names it and what was seen last, when it is not seen within the time
 */
export async function eventually<T>(
  look: () => Promise<T | undefined | false> | T | undefined | false,
  what?: string,
  withinMs = defaultWithinMs,
): Promise<T> {
  for (const begin = performance.now(); ; await pause(pauseAfter(performance.now() - begin))) {
    const seen = await look();
    if (seen !== undefined && seen !== false) return seen;
    if (performance.now() - begin < withinMs) continue;
    throw new Error(`timed out after ${withinMs} ms waiting for ${what ?? sourceOf(look)}; last seen: ${seen}`);
  }
}

const pauseAfter = (elapsedMs: number) => Math.min(Math.max(elapsedMs * pauseShare, minPauseMs), maxPauseMs);

function sourceOf(look: () => unknown): string {
  return look.toString().replaceAll(/\s+/g, " ").slice(0, 200);
}

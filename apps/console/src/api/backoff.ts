/** The pause before the next attempt, ms: doubled with each failure from half a second up to ten seconds, with jitter. */
export function backoffMs(failures: number, random: () => number = Math.random): number {
  return Math.min(500 * 2 ** failures, 10_000) * (0.5 + random() / 2);
}

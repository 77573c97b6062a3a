/** How long an answer asks to wait, ms: `Retry-After` in seconds, or as a date. 0: it does not ask. */
export function retryAfterMs(text: string, now: number): number {
  const ms = /^\d{1,9}$/.test(text.trim()) ? Number(text) * 1_000 : Date.parse(text) - now;
  return Number.isFinite(ms) ? Math.max(0, ms) : 0;
}

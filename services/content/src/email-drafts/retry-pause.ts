/** How often a mail is tried. */
export interface RetryPlan {
  /** Pause after the first try, ms; each further one is twice as long. */
  retryMs: number;
  /** How long after its begin a sending still tries, ms. */
  giveUpMs: number;
}

/** Senders that are deferred try again in minutes, not in hours. */
const longestPauseMs = 240_000;

/** When a mail is tried again after so many tries. Never after the sending's end: the last try is just before it. */
export function nextTry(attempts: number, { now, beganAt, plan }: { now: Date; beganAt: Date; plan: RetryPlan }): Date {
  const pauseMs = Math.min(plan.retryMs * 2 ** (attempts - 1), longestPauseMs);
  return new Date(Math.min(now.getTime() + pauseMs, Math.max(beganAt.getTime() + plan.giveUpMs - 1, now.getTime())));
}

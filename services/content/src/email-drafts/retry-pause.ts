import { backoffMs } from "@aiplatform/backoff";

/** How often a mail is tried. */
export interface RetryPlan {
  /** Longest pause after the first try, ms; each further one is twice as long. */
  retryMs: number;
  /** How long after its begin a sending still tries, ms. */
  giveUpMs: number;
}

interface SendingTimes {
  readonly now: Date;
  readonly beganAt: Date;
  readonly plan: RetryPlan;
  /** A number in [0, 1). Default `Math.random`. */
  readonly random?: () => number;
}

/** Senders that are deferred try again in minutes, not in hours. */
const maxPauseMs = 240_000;

/** When a mail is tried again after so many tries. Never after the sending's end: the last try is just before it. */
export function nextTry(attempts: number, { now, beganAt, plan, random }: SendingTimes): Date {
  const pauseMs = backoffMs({ minMs: plan.retryMs, maxMs: maxPauseMs }, attempts, random);
  return new Date(Math.min(now.getTime() + pauseMs, Math.max(beganAt.getTime() + plan.giveUpMs - 1, now.getTime())));
}

/** Bounds how often strangers can make us ask an issuer for its keys. */
export interface RefreshBudget {
  /** Whether one more request may be made now; counts it if so. */
  take(): boolean;
}

/** At most `burst` requests at once, and one per `intervalMs` in the long run. */
export function createRefreshBudget(o: { burst: number; intervalMs: number; now: () => Date }): RefreshBudget {
  // Counted in milliseconds: fractions of requests would not add up to whole ones.
  const maxSaved = o.burst * o.intervalMs;
  let saved = maxSaved;
  let countedAt = o.now().getTime();
  return {
    take() {
      const now = o.now().getTime();
      saved = Math.min(maxSaved, saved + Math.max(0, now - countedAt));
      countedAt = now;
      if (saved < o.intervalMs) return false;
      saved -= o.intervalMs;
      return true;
    },
  };
}

/** Bounds how often strangers can make us ask an issuer for its keys. */
export interface RefreshBudget {
  /** Whether one more request may be made now; counts it if so. */
  take(): boolean;
}

/** At most `burst` requests at once, and one per `intervalMs` in the long run. */
export function createRefreshBudget(o: { burst: number; intervalMs: number; now: () => Date }): RefreshBudget {
  let left = o.burst;
  let countedAt = o.now().getTime();
  return {
    take() {
      const now = o.now().getTime();
      left = Math.min(o.burst, left + Math.max(0, now - countedAt) / o.intervalMs);
      countedAt = now;
      if (left < 1) return false;
      left -= 1;
      return true;
    },
  };
}

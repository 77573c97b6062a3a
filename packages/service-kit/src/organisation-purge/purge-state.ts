/**
 * `purging`: what the organisation has is being removed; `purged`: it is, and the service has said so; `settled`: what may have
 * been brought back until no event could any longer is removed as well.
 */
export type PurgeState = "purging" | "purged" | "settled";

/** How far a service is with the purge of a deleted organisation. */
export interface Purge {
  readonly state: PurgeState;
  /** When the service learned of the deletion. */
  readonly deletedAt: Date;
}

/** Until when what had begun before the deletion may still write, ms after it. */
export interface PurgeTimes {
  /** Calls and transactions that had begun. */
  readonly settleMs: number;
  /** Events that had been announced. */
  readonly redeliverableMs: number;
}

export interface NextPass {
  readonly state: PurgeState;
  /** Absent: there is no other pass. */
  readonly dueAt?: Date;
}

/** What a pass that removed everything leads to, by the time at which it began: only what began late enough missed nothing. */
export function afterPass({ state, deletedAt }: Purge, beganAt: Date, times: PurgeTimes): NextPass {
  const after = (ms: number) => new Date(deletedAt.getTime() + ms);
  if (state === "settled") return { state };
  const settled = after(times.settleMs);
  if (state === "purging" && beganAt < settled) return { state, dueAt: settled };
  const unreplayable = after(times.redeliverableMs);
  return beganAt < unreplayable ? { state: "purged", dueAt: unreplayable } : { state: "settled" };
}

import { setTimeout as delay } from "node:timers/promises";

/** Resolves after `ms`, or as soon as the signal aborts. Leaves nothing on the signal: a stream pauses at each event. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  if (ms > 0) await delay(ms, undefined, { signal }).catch(() => undefined);
}

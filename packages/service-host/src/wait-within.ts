import type { HandlerContext } from "@connectrpc/connect";

/** How long the answer may take on its way back, ms. */
const answerMs = 250;

/** Milliseconds to wait in a call: as long as wanted, but no longer than its answer can still reach the caller. */
export function waitWithin(context: Pick<HandlerContext, "timeoutMs">, wantedMs: number): number {
  return Math.max(0, Math.min(wantedMs, (context.timeoutMs() ?? Number.POSITIVE_INFINITY) - answerMs));
}

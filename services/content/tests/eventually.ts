import { setTimeout as pause } from "node:timers/promises";

/** Looks every few milliseconds until the condition holds; the test's own time-out ends a wait that never succeeds. */
export async function eventually(condition: () => Promise<boolean> | boolean): Promise<void> {
  while (!(await condition())) await pause(5);
}

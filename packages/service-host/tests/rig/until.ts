import { setTimeout as pause } from "node:timers/promises";

/**
 * Resolves when the condition holds; the test's own time limit ends one that never does. It pauses between two looks: what is
 * waited for needs the processor.
 */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await pause(5);
}

import type { components } from "../gen/api.d.ts";
import { delay } from "./delay.ts";
import type { PlatformClient } from "./platform-client.ts";
import { answerOf } from "./platform-error.ts";
import type { WaitOptions } from "./wait-options.ts";

/** A run of an automation. */
export type AutomationRun = components["schemas"]["AutomationRun"];

/** Pause between two looks, ms. */
const pauseMs = 500;
const ended: ReadonlySet<AutomationRun["status"]> = new Set(["succeeded", "failed", "cancelled"]);

/** Waits until a run has ended, and returns it. @throws the signal's reason when that is aborted before */
export async function settledAutomationRun(
  platform: Pick<PlatformClient, "GET">,
  { run_id }: { run_id: string },
  { signal }: WaitOptions = {},
): Promise<AutomationRun> {
  for (;;) {
    const params = { path: { run_id } };
    const run = answerOf(await platform.GET("/platform/automation-runs/{run_id}", { params, signal: signal ?? null }));
    if (ended.has(run.status)) return run;
    await delay(pauseMs, signal).catch(() => signal?.throwIfAborted());
  }
}

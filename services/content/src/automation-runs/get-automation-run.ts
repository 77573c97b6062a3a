import type { ContentDependencies } from "../dependencies.ts";
import { type AutomationRun, AutomationRunNotFoundError } from "./automation-run.ts";

/** One run. Throws AutomationRunNotFoundError. */
export async function getAutomationRun(
  { automationRuns }: Pick<ContentDependencies, "automationRuns">,
  organisationId: string,
  runId: string,
): Promise<AutomationRun> {
  const run = await automationRuns.find(organisationId, runId);
  if (!run) throw new AutomationRunNotFoundError(runId);
  return run;
}

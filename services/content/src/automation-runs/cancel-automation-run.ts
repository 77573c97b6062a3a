import type { ContentDependencies } from "../dependencies.ts";
import { type AutomationRun, AutomationRunNotFoundError } from "./automation-run.ts";
import { endRun } from "./end-run.ts";

/** Ends a run; one that has ended stays as it is. Throws AutomationRunNotFoundError. */
export async function cancelAutomationRun(
  dependencies: Pick<
    ContentDependencies,
    "automations" | "automationRuns" | "outbox" | "transaction" | "clock" | "runs"
  >,
  organisationId: string,
  runId: string,
): Promise<AutomationRun> {
  const { automationRuns, transaction, runs } = dependencies;
  const ended = await transaction(async (session) => {
    const run = await automationRuns.find(organisationId, runId, session);
    if (!run) throw new AutomationRunNotFoundError(runId);
    return (
      (await endRun(dependencies, run, { status: "cancelled", error: "It was given up on request" }, session)) ?? run
    );
  });
  runs.giveUp(runId);
  return ended;
}

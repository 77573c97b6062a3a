import type { AutomationStore } from "../automations/automation-store.ts";
import type { KeepScheduleDependencies } from "../automations/keep-schedule.ts";
import type { OperationContext } from "../operation-context.ts";
import { type AutomationRun, AutomationRunNotFoundError } from "./automation-run.ts";
import type { AutomationRunStore } from "./automation-run-store.ts";
import { completeRun } from "./complete-run.ts";
import type { AutomationEngine } from "./start-automation-engine.ts";

interface Dependencies extends Pick<OperationContext, "outbox" | "transaction" | "clock">, KeepScheduleDependencies {
  automations: AutomationStore;
  automationRuns: AutomationRunStore;
  runWorker: Pick<AutomationEngine["runWorker"], "cancel">;
}

/** Ends a run; one that has ended stays as it is. @throws AutomationRunNotFoundError */
export async function cancelAutomationRun(
  dependencies: Dependencies,
  organisationId: string,
  runId: string,
): Promise<AutomationRun> {
  const { automationRuns, transaction, runWorker } = dependencies;
  const ended = await transaction(async (session) => {
    const run = await automationRuns.find(organisationId, runId, session);
    if (!run) throw new AutomationRunNotFoundError(runId);
    return (
      (await completeRun(dependencies, run, { status: "cancelled", error: "Cancelled on request" }, session)) ?? run
    );
  });
  runWorker.cancel(runId);
  return ended;
}

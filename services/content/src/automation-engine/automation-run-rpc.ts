import { callerOf } from "@aiplatform/caller-identity";
import { AutomationService } from "@aiplatform/contract/aiplatform/content/v1/automations";
import { currentCause, idempotent } from "@aiplatform/service-host";
import type { ServiceImpl } from "@connectrpc/connect";
import type { AutomationStore } from "../automations/automation-store.ts";
import type { KeepScheduleDependencies } from "../automations/keep-schedule.ts";
import type { OperationContext } from "../operation-context.ts";
import { automationRunMessage } from "./automation-run-message.ts";
import type { AutomationRunStore } from "./automation-run-store.ts";
import { cancelAutomationRun } from "./cancel-automation-run.ts";
import type { AutomationEngine } from "./start-automation-engine.ts";
import { startAutomationRun } from "./start-automation-run.ts";

type AutomationRunMethods = Pick<
  ServiceImpl<typeof AutomationService>,
  "startAutomationRun" | "listAutomationRuns" | "getAutomationRun" | "cancelAutomationRun"
>;

interface Dependencies extends OperationContext, KeepScheduleDependencies {
  automations: AutomationStore;
  automationRuns: AutomationRunStore;
  runWorker: Pick<AutomationEngine["runWorker"], "wake" | "cancel">;
}

export function automationRunMethods(dependencies: Dependencies): AutomationRunMethods {
  const { automations, automationRuns, idempotency, runWorker } = dependencies;
  const { startAutomationRun: method } = AutomationService.method;
  return {
    async startAutomationRun(request, context) {
      const { automationId } = request;
      const { organisationId } = callerOf(context);
      const wanted = { organisationId, automationId, input: request.input?.text || "{}", cause: currentCause() };
      const answer = await idempotent(idempotency, method, { request, context }, async (session) => {
        return { run: automationRunMessage(await startAutomationRun(dependencies, wanted, session)) };
      });
      runWorker.wake();
      return answer;
    },
    async listAutomationRuns({ automationId, limit = 100, ...request }, context) {
      const { organisationId } = callerOf(context);
      const { id } = await automations.get(organisationId, automationId);
      const { items, nextCursor } = await automationRuns.list(organisationId, { ...request, automationId: id, limit });
      return { runs: items.map(automationRunMessage), nextCursor };
    },
    async getAutomationRun({ runId }, context) {
      const run = await automationRuns.get(callerOf(context).organisationId, runId);
      return { run: automationRunMessage(run) };
    },
    async cancelAutomationRun({ runId }, context) {
      const run = await cancelAutomationRun(dependencies, callerOf(context).organisationId, runId);
      return { run: automationRunMessage(run) };
    },
  };
}

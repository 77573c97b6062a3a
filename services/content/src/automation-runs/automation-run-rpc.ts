import { callerOf } from "@aiplatform/caller-identity";
import { AutomationService } from "@aiplatform/contract/aiplatform/content/v1/automations";
import { currentCause, replayable } from "@aiplatform/service-host";
import type { ServiceImpl } from "@connectrpc/connect";
import { settingsMessage } from "../automations/automation-messages.ts";
import { getAutomation } from "../automations/get-automation.ts";
import { updateAutomationSettings } from "../automations/update-automation-settings.ts";
import type { ContentDependencies } from "../dependencies.ts";
import { automationRunMessage } from "./automation-run-messages.ts";
import { cancelAutomationRun } from "./cancel-automation-run.ts";
import { getAutomationRun } from "./get-automation-run.ts";
import { listAutomationRuns } from "./list-automation-runs.ts";
import { startAutomationRun } from "./start-automation-run.ts";

type RunMethods = Pick<
  ServiceImpl<typeof AutomationService>,
  | "startAutomationRun"
  | "listAutomationRuns"
  | "getAutomationRun"
  | "cancelAutomationRun"
  | "getAutomationSettings"
  | "updateAutomationSettings"
>;

/** What AutomationService serves of runs, and of how automations are run. */
export function automationRunMethods(dependencies: ContentDependencies): RunMethods {
  const { startAutomationRun: method } = AutomationService.method;
  return {
    async startAutomationRun(request, context) {
      const automationId = request.automationId.toLowerCase();
      const { organisationId } = callerOf(context);
      const wanted = { organisationId, automationId, input: request.input?.text || "{}", cause: currentCause() };
      const answer = await replayable(dependencies.replays, method, { request, context }, async (session) => {
        return { run: automationRunMessage(await startAutomationRun(dependencies, wanted, session)) };
      });
      dependencies.runs.wake();
      return answer;
    },
    async listAutomationRuns({ automationId, limit = 100, cursor }, context) {
      const query = { automationId: automationId.toLowerCase(), limit, cursor };
      const { items, nextCursor } = await listAutomationRuns(dependencies, callerOf(context).organisationId, query);
      return { runs: items.map(automationRunMessage), nextCursor };
    },
    async getAutomationRun({ runId }, context) {
      const run = await getAutomationRun(dependencies, callerOf(context).organisationId, runId.toLowerCase());
      return { run: automationRunMessage(run) };
    },
    async cancelAutomationRun({ runId }, context) {
      const run = await cancelAutomationRun(dependencies, callerOf(context).organisationId, runId.toLowerCase());
      return { run: automationRunMessage(run) };
    },
    async getAutomationSettings({ automationId }, context) {
      const { organisationId } = callerOf(context);
      const automation = await getAutomation(dependencies, organisationId, automationId.toLowerCase());
      return { settings: settingsMessage(automation) };
    },
    async updateAutomationSettings({ automationId, ...wanted }, context) {
      const caller = callerOf(context);
      const change = { ...wanted, ownerMemberId: wanted.ownerMemberId?.toLowerCase() };
      await dependencies.members.assertKnown(caller, change.ownerMemberId);
      const which = { organisationId: caller.organisationId, automationId: automationId.toLowerCase() };
      return { settings: settingsMessage(await updateAutomationSettings(dependencies, which, change)) };
    },
  };
}

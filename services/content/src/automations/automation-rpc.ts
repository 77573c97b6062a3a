import { callerOf } from "@aiplatform/caller-identity";
import { AutomationService } from "@aiplatform/contract/aiplatform/content/v1/automations";
import { idempotent } from "@aiplatform/service-host";
import type { ServiceImpl } from "@connectrpc/connect";
import type { KnownMembers } from "../known-members.ts";
import type { OperationContext } from "../operation-context.ts";
import { automationMessage, settingsMessage } from "./automation-message.ts";
import { createAutomation } from "./create-automation.ts";
import { type DeleteAutomationDependencies, deleteAutomation } from "./delete-automation.ts";
import type { KeepScheduleDependencies } from "./keep-schedule.ts";
import { updateAutomationSettings } from "./update-automation-settings.ts";

type AutomationMethods = Pick<
  ServiceImpl<typeof AutomationService>,
  | "listAutomations"
  | "createAutomation"
  | "getAutomation"
  | "deleteAutomation"
  | "getAutomationSettings"
  | "updateAutomationSettings"
>;

interface Dependencies extends OperationContext, DeleteAutomationDependencies, KeepScheduleDependencies {
  members: Pick<KnownMembers, "assertKnown">;
}

export function automationMethods(dependencies: Dependencies): AutomationMethods {
  const { createAutomation: method } = AutomationService.method;
  const { automations, schedules, members, idempotency } = dependencies;
  return {
    async listAutomations({ limit = 1_000, cursor = "", typedSteps, ...request }, context) {
      const { organisationId } = callerOf(context);
      const { items, nextCursor } = await automations.list(organisationId, { ...request, limit, cursor });
      return { automations: items.map((each) => automationMessage(each, { typedSteps })), nextCursor };
    },
    createAutomation: (request, context) =>
      idempotent(idempotency, method, { request, context }, async (session) => {
        const { organisationId, memberId: createdByMemberId } = callerOf(context);
        const { name = "", description } = request;
        const wanted = { organisationId, createdByMemberId, name, description };
        return { automation: automationMessage(await createAutomation(dependencies, wanted, session)) };
      }),
    async getAutomation({ automationId, typedSteps }, context) {
      const { organisationId } = callerOf(context);
      return { automation: automationMessage(await automations.get(organisationId, automationId), { typedSteps }) };
    },
    async deleteAutomation({ automationId }, context) {
      const deleted = await deleteAutomation(dependencies, callerOf(context), automationId);
      return { automation: automationMessage(deleted) };
    },
    async getAutomationSettings({ automationId }, context) {
      const { organisationId } = callerOf(context);
      const automation = await automations.get(organisationId, automationId);
      const schedule = await schedules.find(organisationId, automationId);
      return { settings: settingsMessage(automation, schedule?.nextRunAt) };
    },
    async updateAutomationSettings({ automationId, ...wanted }, context) {
      const caller = callerOf(context);
      await members.assertKnown(caller, wanted.ownerMemberId);
      const which = { organisationId: caller.organisationId, automationId };
      const automation = await updateAutomationSettings(dependencies, which, wanted);
      const schedule = await schedules.find(caller.organisationId, automationId);
      return { settings: settingsMessage(automation, schedule?.nextRunAt) };
    },
  };
}

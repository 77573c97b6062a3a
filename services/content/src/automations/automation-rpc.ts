import { callerOf } from "@aiplatform/caller-identity";
import {
  AutomationService,
  type SaveAutomationDraftRequest,
} from "@aiplatform/contract/aiplatform/content/v1/automations";
import { replayable } from "@aiplatform/service-host";
import type { ConnectRouter } from "@connectrpc/connect";
import { automationRunMethods } from "../automation-runs/automation-run-rpc.ts";
import type { ContentDependencies } from "../dependencies.ts";
import { automationMessage, versionEntryMessage } from "./automation-messages.ts";
import { createAutomation } from "./create-automation.ts";
import { deleteAutomation } from "./delete-automation.ts";
import type { Draft } from "./draft.ts";
import { getAutomation } from "./get-automation.ts";
import { listAutomationVersions } from "./list-automation-versions.ts";
import { publishAutomation } from "./publish-automation.ts";
import { saveAutomationDraft } from "./save-automation-draft.ts";

/** Serves AutomationService. */
export function automationRoutes(router: ConnectRouter, dependencies: ContentDependencies): void {
  const { createAutomation: method } = AutomationService.method;
  router.service(AutomationService, {
    ...automationRunMethods(dependencies),
    async listAutomations({ limit = 1_000, cursor = "" }, context) {
      const { organisationId } = callerOf(context);
      const { items, nextCursor } = await dependencies.automations.list(organisationId, { limit, cursor });
      return { automations: items.map(automationMessage), nextCursor };
    },
    createAutomation: (request, context) =>
      replayable(dependencies.replays, method, { request, context }, async (session) => {
        const { organisationId, memberId: createdByMemberId } = callerOf(context);
        const { name = "", description } = request;
        const wanted = { organisationId, createdByMemberId, name, description };
        return { automation: automationMessage(await createAutomation(dependencies, wanted, session)) };
      }),
    async getAutomation({ automationId }, context) {
      const { organisationId } = callerOf(context);
      return { automation: automationMessage(await getAutomation(dependencies, organisationId, idOf(automationId))) };
    },
    async saveAutomationDraft({ automationId, ...draft }, context) {
      const { organisationId } = callerOf(context);
      const wanted = { organisationId, automationId: idOf(automationId), ...draftOf(draft) };
      return { version: versionEntryMessage(await saveAutomationDraft(dependencies, wanted)) };
    },
    async publishAutomation({ automationId }, context) {
      const published = await publishAutomation(dependencies, callerOf(context), idOf(automationId));
      return { automation: automationMessage(published) };
    },
    async listAutomationVersions({ automationId, limit = 100, cursor }, context) {
      const query = { automationId: idOf(automationId), limit, cursor };
      const { items, nextCursor } = await listAutomationVersions(dependencies, callerOf(context).organisationId, query);
      return { versions: items.map(versionEntryMessage), nextCursor };
    },
    async deleteAutomation({ automationId }, context) {
      const deleted = await deleteAutomation(dependencies, callerOf(context), idOf(automationId));
      return { automation: automationMessage(deleted) };
    },
  });
}

function idOf(text: string): string {
  return text.toLowerCase();
}

type WrittenDraft = Pick<SaveAutomationDraftRequest, "steps" | "stepTransitions" | "trigger">;

function draftOf({ steps, stepTransitions, trigger }: WrittenDraft): Draft {
  return {
    trigger: trigger && { event: trigger.event ?? "", when: trigger.when },
    steps: steps.map(({ key = "", name = "", promptTemplate, featureKeys }) => {
      return { key, name, promptTemplate: promptTemplate?.text || "{}", featureKeys };
    }),
    transitions: stepTransitions.map(({ source = "", target = "", label = "" }) => ({ source, target, label })),
  };
}

import { callerOf } from "@aiplatform/caller-identity";
import type {
  AutomationService,
  DraftStep as DraftStepMessage,
  SaveAutomationDraftRequest,
} from "@aiplatform/contract/aiplatform/content/v1/automations";
import type { FieldViolation } from "@aiplatform/service-host";
import { assertNone } from "@aiplatform/service-host/invalid-fields";
import { tagAnswer } from "@aiplatform/service-kit/entity-tag";
import type { ServiceImpl } from "@connectrpc/connect";
import type { AutomationDraft, DraftStep } from "./automation-draft.ts";
import { automationMessage, publishedMessage, versionEntryMessage } from "./automation-message.ts";
import type { AutomationStore } from "./automation-store.ts";
import type { AutomationVersionStore } from "./automation-version-store.ts";
import { getAutomationDraft } from "./get-automation-draft.ts";
import { type PublishAutomationDependencies, publishAutomation } from "./publish-automation.ts";
import type { SaveAutomationDraftDependencies } from "./save-automation-draft.ts";
import { saveAutomationDraft } from "./save-automation-draft.ts";
import { stepTemplateText } from "./step-template.ts";
import { triggerOf } from "./trigger-message.ts";

type AutomationDraftMethods = Pick<
  ServiceImpl<typeof AutomationService>,
  "getAutomationDraft" | "saveAutomationDraft" | "publishAutomation" | "listAutomationVersions"
>;

interface Dependencies extends PublishAutomationDependencies, SaveAutomationDraftDependencies {
  automations: AutomationStore;
  automationVersions: AutomationVersionStore;
}

/** What is done with the versions of an automation: the draft, its publication, and those there were. */
export function automationDraftMethods(dependencies: Dependencies): AutomationDraftMethods {
  const { automations, automationVersions } = dependencies;
  return {
    async getAutomationDraft({ automationId, typedSteps }, context) {
      const draft = await getAutomationDraft(dependencies, callerOf(context).organisationId, automationId);
      tagAnswer(context, draft.revision);
      return { version: versionEntryMessage(draft, { typedSteps }) };
    },
    async saveAutomationDraft({ automationId, typedSteps, ifMatch, ...draft }, context) {
      const { organisationId } = callerOf(context);
      assertNone(templateProblems(draft.steps));
      const wanted = { organisationId, automationId, ifMatch, ...draftOf(draft) };
      const saved = await saveAutomationDraft(dependencies, wanted);
      tagAnswer(context, saved.revision);
      return { version: versionEntryMessage(saved, { typedSteps }) };
    },
    async publishAutomation(which, context) {
      const published = await publishAutomation(dependencies, callerOf(context), which);
      if (published.currentVersion) tagAnswer(context, published.currentVersion.revision);
      return { automation: automationMessage(published), published: publishedMessage(published) };
    },
    async listAutomationVersions({ automationId, limit = 100, typedSteps, ...request }, context) {
      const { organisationId } = callerOf(context);
      const { id } = await automations.get(organisationId, automationId);
      const { items, nextCursor } = await automationVersions.list(organisationId, id, { ...request, limit });
      return { versions: items.map((each) => versionEntryMessage(each, { typedSteps })), nextCursor };
    },
  };
}

type WrittenDraft = Pick<SaveAutomationDraftRequest, "steps" | "stepTransitions" | "trigger">;

function draftOf({ steps, stepTransitions, trigger }: WrittenDraft): AutomationDraft {
  return {
    trigger: trigger && triggerOf(trigger),
    steps: steps.map(draftStepOf),
    transitions: stepTransitions.map(({ source = "", target = "", label = "" }) => ({ source, target, label })),
  };
}

function draftStepOf({ key = "", name = "", featureKeys, promptTemplate, template }: DraftStepMessage): DraftStep {
  const step = { key, name, featureKeys };
  if (promptTemplate || !template)
    return { ...step, templateField: "prompt_template", promptTemplate: promptTemplate?.text || "{}" };
  const templateField = `template.${template.type.case ?? ""}`;
  return { ...step, templateField, promptTemplate: stepTemplateText(template) ?? "{}" };
}

/** What no rule of a single field says: a step has its template in one of two forms. */
function templateProblems(steps: readonly DraftStepMessage[]): FieldViolation[] {
  return steps.flatMap(({ promptTemplate, template }, index) => {
    const place = `steps[${index}]`;
    if (promptTemplate && template) return [{ field: `${place}.template`, ...oneForm }];
    if (template) return template.type.case ? [] : [{ field: `${place}.template`, ...missing }];
    return promptTemplate ? [] : [{ field: `${place}.prompt_template`, ...missing }];
  });
}

const missing = { reason: "MISSING", description: "Field required" };
const oneForm = {
  reason: "VALUE_ERROR",
  description: "Value error, give prompt_template or template, and not both",
};

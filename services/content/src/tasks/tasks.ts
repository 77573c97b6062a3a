import type { UnfilledStep } from "../automation-engine/execute-step.ts";
import { renderStepFields } from "../automation-engine/render-step-fields.ts";
import { scopeWith } from "../automation-engine/step-scope.ts";
import { readDraft } from "../automations/automation-draft.ts";
import { holds } from "../automations/condition.ts";
import { readSample } from "../datasets/samples/read-sample.ts";
import { fillTemplate, fillTemplates } from "../email-drafts/render-templates.ts";
import { templateViolations } from "../email-drafts/templates.ts";

/** What worker threads compute for requests and runs. */
export const contentTasks = {
  templateViolations,
  fillTemplate,
  fillTemplates,
  readDraft,
  conditionHolds: ({ when, event }: { when: string; event: unknown }) => holds(when, event),
  fillStep: ({ fields, rules, facts }: UnfilledStep) => renderStepFields(fields, rules, scopeWith(facts)),
  readSample,
};

export type ContentTasks = typeof contentTasks;

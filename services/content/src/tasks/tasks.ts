import { filledMembers } from "../automation-runs/filled-members.ts";
import { type ScopeFacts, scopeWith } from "../automation-runs/scope-values.ts";
import { holds } from "../automations/condition.ts";
import { readDraft } from "../automations/draft.ts";
import type { MemberRules } from "../automations/step-members.ts";
import { readSample } from "../datasets/samples/read-sample.ts";
import { fillTemplate, fillTemplates } from "../email-drafts/fill-templates.ts";
import { templateViolations } from "../email-drafts/templates.ts";
import type { Members } from "../json-object.ts";

/** A step whose templates are to be filled in. */
export interface UnfilledStep {
  members: Members;
  rules: MemberRules;
  facts: ScopeFacts;
}

/** What worker threads compute for requests and runs. */
export const contentTasks = {
  templateViolations,
  fillTemplate,
  fillTemplates,
  readDraft,
  conditionHolds: ({ when, event }: { when: string; event: unknown }) => holds(when, event),
  fillStep: ({ members, rules, facts }: UnfilledStep) => filledMembers(members, rules, scopeWith(facts)),
  readSample,
};

export type ContentTasks = typeof contentTasks;

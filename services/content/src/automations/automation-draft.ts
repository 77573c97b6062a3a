import { assertNone, type FieldViolation } from "@aiplatform/service-host/invalid-fields";
import { isSameSchedule } from "../automation-schedules/schedule.ts";
import type { StepReads } from "../automation-steps/step-fields.ts";
import type { Step, Transition, Trigger, Version } from "./automation.ts";
import { readPromptTemplate } from "./prompt-template.ts";
import { type Edge, graphProblems } from "./transition-graph.ts";
import { triggerProblems } from "./trigger.ts";

/** A step as written. */
export interface DraftStep {
  /** Known within the automation. */
  key: string;
  name: string;
  /** JSON text of an object. */
  promptTemplate: string;
  /** Where the request has it, such as `prompt_template`. */
  templateField: string;
  /** Of features that it uses besides those that its template reads. */
  featureKeys: string[];
}

/** What an automation is to do, as written. */
export interface AutomationDraft {
  steps: DraftStep[];
  transitions: Edge[];
  /** Undefined: it runs on demand only. */
  trigger: Trigger | undefined;
}

/** A draft without mistakes: each step knows all features it uses. */
export interface ParsedDraft extends AutomationDraft {
  featureKeys: string[];
  variables: string[];
}

/** Characters of all templates of a version at most: a version is always answered whole. */
const maxTemplateLength = 1024 * 1024;
/** Characters between `{{ }}` and `{% %}` of all templates of a version at most: a second's work. */
const maxMarkup = 20_000;
/** Features that a version uses at most: all are claimed when it is published. */
const maxFeatures = 500;
const maxKeyLength = 255;

/** Reads a draft. @throws InvalidFieldsError with the place of each mistake */
export function readDraft({ steps, transitions, trigger }: AutomationDraft): ParsedDraft {
  const characters = steps.reduce((sum, { promptTemplate }) => sum + promptTemplate.length, 0);
  // First and alone: reading them all would take too long.
  assertNone(tooMany(characters, maxTemplateLength, "characters in its templates"));
  const reads = readTemplates(steps);
  const read = steps.map((step, index) => ({
    ...step,
    featureKeys: sorted([...step.featureKeys, ...(reads[index]?.featureKeys ?? [])]),
  }));
  const featureKeys = sorted(read.flatMap((step) => step.featureKeys));
  assertNone([
    ...graphProblems(steps, transitions),
    ...steps.flatMap(featureKeyProblems),
    ...reads.flatMap(({ problems }) => problems),
    ...tooMany(featureKeys.length, maxFeatures, "features"),
    ...triggerProblems(trigger),
  ]);
  const variables = sorted(reads.flatMap((each) => each.variables));
  return { steps: read, transitions, trigger, featureKeys, variables };
}

function readTemplates(steps: readonly DraftStep[]): StepReads[] {
  let left = maxMarkup;
  return steps.map(({ promptTemplate, templateField }, index) => {
    const read = readPromptTemplate(promptTemplate, { field: `steps[${index}].${templateField}`, maxMarkup: left });
    left -= read.markup;
    return read;
  });
}

function tooMany(count: number, most: number, what: string): FieldViolation[] {
  const description = `Value error, a version may have ${most} ${what} at most`;
  return count > most ? [{ field: "steps", reason: "VERSION_TOO_LARGE", description }] : [];
}

function featureKeyProblems({ featureKeys }: DraftStep, step: number): FieldViolation[] {
  return featureKeys.flatMap((key, index) => {
    const field = `steps[${step}].feature_keys[${index}]`;
    if (key === "") return [{ field, reason: "STRING_TOO_SHORT", description: tooShort }];
    return key.length > maxKeyLength ? [{ field, reason: "STRING_TOO_LONG", description: tooLong }] : [];
  });
}

const tooShort = "String should have at least 1 character";
const tooLong = `String should have at most ${maxKeyLength} characters`;

function sorted(texts: readonly string[]): string[] {
  return [...new Set(texts)].sort();
}

/** What a version does. */
export type VersionContent = Pick<Version, "steps" | "transitions" | "trigger" | "featureKeys" | "variables">;

/**
 * The draft as the content of a version. A step whose key stands in an earlier version keeps its id, and its times as long as
 * nothing of it changes; a transition between the same steps under the same label keeps its id.
 */
export function contentOf(
  draft: ParsedDraft,
  earlier: readonly VersionContent[],
  { time, newId }: { time: Date; newId: () => string },
): VersionContent {
  const knownSteps = firstBy(
    earlier.flatMap(({ steps }) => steps),
    ({ key }) => key,
  );
  const steps = draft.steps.map((step): Step => {
    const known = knownSteps.get(step.key);
    if (!known) return { id: newId(), ...step, createdAt: time, updatedAt: time };
    return isSameStep(known, step) ? known : { ...known, ...step, updatedAt: time };
  });
  const ids = new Map(steps.map(({ key, id }) => [key, id]));
  const knownTransitions = firstBy(
    earlier.flatMap(({ transitions }) => transitions),
    placeOf,
  );
  const transitions = draft.transitions.map(({ source, target, label }): Transition => {
    const place = { sourceStepId: ids.get(source) ?? "", targetStepId: ids.get(target) ?? "", label };
    return knownTransitions.get(placeOf(place)) ?? { id: newId(), ...place };
  });
  const { trigger, featureKeys, variables } = draft;
  return { steps, transitions, trigger, featureKeys, variables };
}

function firstBy<T>(items: readonly T[], nameOf: (item: T) => string): Map<string, T> {
  // Of two entries for one key a map keeps the last.
  return new Map(items.toReversed().map((item) => [nameOf(item), item]));
}

function placeOf({ sourceStepId, targetStepId, label }: Omit<Transition, "id">): string {
  return `${sourceStepId} ${targetStepId} ${label}`;
}

function isSameStep(known: Step, { name, promptTemplate, featureKeys }: DraftStep): boolean {
  return known.name === name && known.promptTemplate === promptTemplate && isSameList(known.featureKeys, featureKeys);
}

/** Whether `contentOf`, given `one` as the first of what was earlier, left all of it as it was. */
export function isSameContent(one: VersionContent, other: VersionContent): boolean {
  return (
    isSameTrigger(one.trigger, other.trigger) &&
    isSameList(one.steps, other.steps) &&
    isSameList(one.transitions, other.transitions)
  );
}

function isSameTrigger(one: Trigger | undefined, other: Trigger | undefined): boolean {
  return one?.event === other?.event && one?.when === other?.when && isSameSchedule(one?.schedule, other?.schedule);
}

function isSameList<T>(one: readonly T[], other: readonly T[]): boolean {
  return one.length === other.length && one.every((item, index) => item === other[index]);
}

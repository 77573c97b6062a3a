import type { components, Problem } from "@aiplatform/client";
import type { AutomationVersionEntry } from "../../api/platform.ts";

type NewDraft = components["schemas"]["SaveAutomationDraftRequest"];

/** A step as it was typed. */
export interface StepForm {
  /** Known on the page alone. */
  id: string;
  key: string;
  name: string;
  /** What the step does, as JSON. */
  template: string;
  /** Keys of features besides those that the template reads, with commas between. */
  features: string;
}

/** A transition as it was typed. */
export interface TransitionForm {
  /** Known on the page alone. */
  id: string;
  source: string;
  target: string;
  label: string;
}

/** A draft as it was typed. */
export interface DraftForm {
  steps: readonly StepForm[];
  transitions: readonly TransitionForm[];
  /** Name of the event that starts it; empty: it runs on demand only. */
  event: string;
  when: string;
  /** Of the event `schedule` alone. */
  schedule: ScheduleForm;
}

/** A schedule as it was typed. */
export type ScheduleForm = NonNullable<NonNullable<AutomationVersionEntry["trigger"]>["schedule"]>;

/** The event of automations that a schedule starts. */
export const onSchedule = "schedule";
const noSchedule: ScheduleForm = { cron: "", time_zone: "UTC", missed: "skip" };

/** What is wrong with a field, by the field's place, such as `steps.0.name`. */
export type DraftProblems = ReadonlyMap<string, string>;

/** A new step of each type, as the text of its template. */
const stepExamples: Readonly<Record<string, object>> = {
  prompt: { type: "prompt", text: "Say in one sentence: {{ input.question }}" },
  dictionary: { type: "dictionary", dataset_id: "", entries: [{ name: "", description: "" }] },
  email: { type: "email", subject: "", text: "", recipient_member_ids: [] },
  train: { type: "train", action: "start_run", from_run_id: "" },
  deploy: { type: "deploy", model_id: "" },
  dataset: { type: "dataset", dataset_id: "", sql: "SELECT * FROM t", tables: [{ name: "t", dataset_id: "" }] },
  embed: { type: "embed", dataset_id: "", version_id: "", deployment_id: "", input: "", output: "", column: "" },
};

/** The types that a step may have. */
export const stepTypes = Object.keys(stepExamples);

/** A step of a type, with a key that none of the others has. */
export function newStep(type: string, steps: readonly StepForm[], id: string): StepForm {
  const taken = new Set(steps.map(({ key }) => key));
  let number = 1;
  while (taken.has(numbered(type, number))) number += 1;
  const name = `${type[0]?.toUpperCase() ?? ""}${type.slice(1)}`;
  return { id, key: numbered(type, number), name, template: jsonText(stepExamples[type] ?? { type }), features: "" };
}

const numbered = (type: string, number: number) => (number === 1 ? type : `${type}-${number}`);

const jsonText = (value: unknown) => JSON.stringify(value, undefined, 2);

/** A version as a form, or an empty one with a step to begin with. */
export function draftForm(entry: AutomationVersionEntry | undefined, newId: () => string): DraftForm {
  if (!entry)
    return { steps: [newStep("prompt", [], newId())], transitions: [], event: "", when: "", schedule: noSchedule };
  const { version, step_keys, trigger } = entry;
  const keys = new Map(step_keys.map((each) => [each.step_id, each]));
  const keyOf = (id: string) => keys.get(id)?.key ?? "";
  return {
    steps: version.steps.map(({ id, name, prompt_template }) => {
      const template = jsonText(prompt_template);
      const named = (keys.get(id)?.feature_keys ?? []).filter((key) => !readsFeature(template, key));
      return { id, key: keyOf(id), name, template, features: named.join(", ") };
    }),
    transitions: version.step_transitions.map(({ id, source_step_id, target_step_id, label }) => ({
      ...{ id, label },
      source: keyOf(source_step_id),
      target: keyOf(target_step_id),
    })),
    event: trigger?.event ?? "",
    when: trigger?.when ?? "",
    schedule: trigger?.schedule ?? noSchedule,
  };
}

/** Whether a template reads a feature by its key: then the key need not be named beside it. */
function readsFeature(template: string, key: string): boolean {
  return [`features.${key}`, `features["${key}"]`, `features['${key}']`, `features[\\"${key}\\"]`].some((text) =>
    template.includes(text),
  );
}

/** What a form means, or what is no JSON in it. All else only the platform knows. */
export function readDraft(form: DraftForm): { body: NewDraft } | { problems: DraftProblems } {
  const problems = new Map<string, string>();
  const steps = form.steps.map(({ key, name, template, features }, index) => {
    const read = readTemplate(template);
    if (!read) problems.set(`steps.${index}.prompt_template`, "Type a JSON object with a type.");
    const feature_keys = features.split(",").flatMap((each) => each.trim() || []);
    return { key: key.trim(), name: name.trim(), prompt_template: read, feature_keys };
  });
  if (problems.size > 0) return { problems };
  const step_transitions = form.transitions.map(({ source, target, label }) => ({
    source,
    target,
    label: label.trim(),
  }));
  const trigger = triggerOf(form);
  // The platform judges templates: what is typed here may be any object.
  const body = { steps, step_transitions, trigger } as NewDraft;
  return { body };
}

function triggerOf({ event: typed, when, schedule: { cron, time_zone, missed } }: DraftForm) {
  const event = typed.trim();
  if (event === "") return null;
  const schedule = event === onSchedule ? { cron: cron.trim(), time_zone: time_zone.trim(), missed } : null;
  return { event, when: when.trim(), schedule };
}

function readTemplate(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Fields that a form shows, by what a problem's place begins with. */
const stepFields: ReadonlySet<string | number> = new Set(["key", "name", "prompt_template", "feature_keys"]);
const transitionFields: ReadonlySet<string | number> = new Set(["source", "target", "label"]);

/** What a refusal says, by the field of the form that it is about. */
export function problemsByField(problems: readonly Problem[]): DraftProblems {
  const texts = new Map<string, string>();
  for (const { loc, msg } of problems) {
    const [field, rest] = fieldOf(loc.slice(1));
    if (field === undefined) continue;
    const text = rest.length === 0 ? msg : `${rest.join(".")}: ${msg}`;
    texts.set(field, [texts.get(field), text].filter(Boolean).join("; "));
  }
  return texts;
}

function fieldOf([list, index, field, ...rest]: Problem["loc"]): [field: string | undefined, rest: Problem["loc"]] {
  if (list === "trigger") return [triggerFieldOf(index, field), []];
  if (typeof index !== "number") return [undefined, []];
  const [fields, first] = list === "steps" ? [stepFields, "key"] : [transitionFields, "label"];
  if (list !== "steps" && list !== "step_transitions") return [undefined, []];
  // What is said of a whole step or transition stands at its first field.
  if (field === undefined || !fields.has(field)) return [`${list}.${index}.${first}`, []];
  return [`${list}.${index}.${field}`, rest];
}

function triggerFieldOf(field?: string | number, part?: string | number): string | undefined {
  if (field === "event" || field === "when") return `trigger.${field}`;
  if (field !== "schedule") return undefined;
  // What is said of the whole schedule stands at its first field.
  return part === "time_zone" ? "trigger.schedule.time_zone" : "trigger.schedule.cron";
}

/** The steps and transitions of a form as the graph takes them. */
export function graphOfForm({ steps, transitions }: DraftForm) {
  const ids = new Map(steps.map(({ key, id }) => [key, id]));
  return {
    steps: steps.map(({ id, name, key, template }) => ({ id, name: name || key || "–", type: typeOf(template) })),
    edges: transitions.map(({ id, source, target, label }) => ({
      ...{ id, label },
      source: ids.get(source) ?? "",
      target: ids.get(target) ?? "",
    })),
  };
}

function typeOf(template: string): string {
  const read = readTemplate(template);
  return read && "type" in read && typeof read.type === "string" ? read.type : "unknown";
}

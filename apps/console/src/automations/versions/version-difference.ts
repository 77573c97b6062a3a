import type { AutomationVersionEntry } from "../../api/platform.ts";

/** A step that is not the same in two versions. */
export interface StepDifference {
  id: string;
  name: string;
  kind: "added" | "removed" | "changed";
  /** Its name, its features and its template as lines; empty where there is no such step. */
  before: string;
  after: string;
}

/** What differs between two versions. */
export interface VersionDifference {
  steps: readonly StepDifference[];
  /** What else the versions are, as lines: order of the steps, transitions and trigger. */
  before: string;
  after: string;
}

/** Compares two versions. Steps are the same while their key is; an absent version has none. */
export function versionDifference(
  before: AutomationVersionEntry | undefined,
  after: AutomationVersionEntry,
): VersionDifference {
  const old = stepsOf(before);
  const next = stepsOf(after);
  const removed = [...old].filter(([id]) => !next.has(id)).map(([id, step]) => differenceOf(id, step, undefined));
  const others = [...next].map(([id, step]) => differenceOf(id, old.get(id), step));
  return {
    steps: [...others, ...removed].filter((step) => step.before !== step.after),
    before: before ? frameOf(before) : "",
    after: frameOf(after),
  };
}

interface StepText {
  name: string;
  text: string;
}

function stepsOf(entry: AutomationVersionEntry | undefined): ReadonlyMap<string, StepText> {
  const features = new Map(entry?.step_keys.map(({ step_id, feature_keys }) => [step_id, feature_keys]));
  return new Map(
    entry?.version.steps.map(({ id, name, prompt_template }) => {
      const used = features.get(id) ?? [];
      const lines = [
        `name: ${name}`,
        ...(used.length === 0 ? [] : [`features: ${used.join(", ")}`]),
        JSON.stringify(prompt_template, undefined, 2),
      ];
      return [id, { name, text: lined(lines) }];
    }),
  );
}

function differenceOf(id: string, before: StepText | undefined, after: StepText | undefined): StepDifference {
  const kind = before === undefined ? "added" : after === undefined ? "removed" : "changed";
  return { id, name: (after ?? before)?.name ?? "", kind, before: before?.text ?? "", after: after?.text ?? "" };
}

/** The first step, the transitions and the trigger, one a line. */
function frameOf({ version, trigger }: AutomationVersionEntry): string {
  const names = new Map(version.steps.map(({ id, name }) => [id, name]));
  return lined([
    `begins with ${version.steps[0]?.name ?? "nothing"}`,
    ...version.step_transitions.map(
      ({ source_step_id, target_step_id, label }) =>
        `${names.get(source_step_id)} – ${label} → ${names.get(target_step_id)}`,
    ),
    trigger ? `starts at ${trigger.event}` : "starts on demand",
    ...(trigger?.schedule ? [scheduleLine(trigger.schedule)] : []),
    ...(trigger?.when ? [`when ${trigger.when}`] : []),
  ]);
}

type Schedule = NonNullable<NonNullable<AutomationVersionEntry["trigger"]>["schedule"]>;

function scheduleLine({ cron, time_zone, missed }: Schedule): string {
  return `at ${cron} in ${time_zone}, missed: ${missed}`;
}

const lined = (lines: readonly string[]) => lines.map((line) => `${line}\n`).join("");

import type { Automation, Step } from "../automations/automation.ts";
import type { ContentDependencies } from "../dependencies.ts";
import type { Feature } from "../feature-memory/feature.ts";
import { parseJsonObject } from "../json-object.ts";
import { type AutomationRun, onDemand } from "./automation-run.ts";
import type { Scope } from "./filled-members.ts";

/** A feature as templates read it: by its members, or as a whole, which is its description. */
class FeatureValue {
  readonly key: string;
  readonly description: string;
  readonly usage_notes: string;
  readonly status: string;
  readonly version: number;

  constructor({ key, description, usageNotes, status, version }: Feature) {
    this.key = key;
    this.description = description;
    this.usage_notes = usageNotes;
    this.status = status;
    this.version = version;
  }

  toString(): string {
    return this.description;
  }
}

/** What the templates of a step read. */
export async function scopeOf(
  { features }: Pick<ContentDependencies, "features">,
  { automation, run, step }: { automation: Automation; run: AutomationRun; step: Step },
): Promise<Scope> {
  const started = parseJsonObject(run.input) ?? {};
  const isOnDemand = run.startedBy === onDemand;
  const known = await Promise.all(step.featureKeys.map((key) => features.find(run.organisationId, key)));
  const read = known.filter((feature) => feature !== undefined);
  const steps = run.steps.map(({ key, status, label, output, error }) => {
    return [key, { status, label, error, output: output === undefined ? undefined : parseJsonObject(output) }] as const;
  });
  return {
    input: isOnDemand ? started : {},
    event: isOnDemand ? {} : started,
    steps: Object.fromEntries(steps),
    features: Object.fromEntries(read.map((feature) => [feature.key, new FeatureValue(feature)])),
    run: { id: run.id, started_by: run.startedBy },
    automation: { id: automation.id, name: automation.name },
  };
}

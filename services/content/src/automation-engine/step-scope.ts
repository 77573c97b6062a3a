import type { Automation, Step } from "../automations/automation.ts";
import type { Feature } from "../feature-memory/feature.ts";
import type { FeatureStore } from "../feature-memory/feature-store.ts";
import { parseJsonObject } from "../json-object.ts";
import { type AutomationRun, onDemand, type StepRun } from "./automation-run.ts";
import type { Scope } from "./render-step-fields.ts";

/** What the templates of a step read, as plain data for another thread. */
export interface ScopeFacts {
  run: { id: string; startedBy: string };
  automation: { id: string; name: string };
  /** Whether a caller started the run, and not an event. */
  isOnDemand: boolean;
  /** JSON text of what the run was started with. */
  input: string;
  steps: readonly Pick<StepRun, "key" | "status" | "label" | "output" | "error">[];
  features: readonly FeatureFacts[];
}

/** What templates read of a feature. */
export type FeatureFacts = Pick<Feature, "key" | "description" | "usageNotes" | "status" | "version">;

/** Where the features that templates read are found. */
export type ScopeFeatures = Pick<FeatureStore, "find">;

/** What the templates of a step may read, as it is now. */
export async function scopeFacts(
  { features }: { features: ScopeFeatures },
  { automation, run, step }: { automation: Automation; run: AutomationRun; step: Step },
): Promise<ScopeFacts> {
  const known = await Promise.all(step.featureKeys.map((key) => features.find(run.organisationId, key)));
  return {
    run: { id: run.id, startedBy: run.startedBy },
    automation: { id: automation.id, name: automation.name },
    isOnDemand: run.startedBy === onDemand,
    input: run.input,
    steps: run.steps.map(({ key, status, label, output, error }) => ({ key, status, label, output, error })),
    features: known
      .filter((feature) => feature !== undefined)
      .map(({ key, description, usageNotes, status, version }) => ({ key, description, usageNotes, status, version })),
  };
}

/** A feature as templates read it: by its members, or as a whole, which is its description. */
class FeatureValue {
  readonly key: string;
  readonly description: string;
  readonly usage_notes: string;
  readonly status: string;
  readonly version: number;

  constructor({ key, description, usageNotes, status, version }: FeatureFacts) {
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
export function scopeWith({ run, automation, isOnDemand, input, steps, features }: ScopeFacts): Scope {
  const started = parseJsonObject(input) ?? {};
  const ended = steps.map(({ key, status, label, output, error }) => {
    return [key, { status, label, error, output: output === undefined ? undefined : parseJsonObject(output) }] as const;
  });
  return {
    input: isOnDemand ? started : {},
    event: isOnDemand ? {} : started,
    steps: Object.fromEntries(ended),
    features: Object.fromEntries(features.map((feature) => [feature.key, new FeatureValue(feature)])),
    run: { id: run.id, started_by: run.startedBy },
    automation,
  };
}

import type { Feature } from "../feature-memory/feature.ts";
import { parseJsonObject } from "../json-object.ts";
import type { StepRun } from "./automation-run.ts";
import type { Scope } from "./filled-members.ts";

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

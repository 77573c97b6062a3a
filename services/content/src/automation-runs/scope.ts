import type { Automation, Step } from "../automations/automation.ts";
import type { ContentDependencies } from "../dependencies.ts";
import { type AutomationRun, onDemand } from "./automation-run.ts";
import type { ScopeFacts } from "./scope-values.ts";

/** What the templates of a step may read, as it is now. */
export async function scopeFacts(
  { features }: Pick<ContentDependencies, "features">,
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

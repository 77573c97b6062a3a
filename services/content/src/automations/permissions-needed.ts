import { isStepType, stepHandlers } from "../automation-steps/step-handlers/step-handlers.ts";
import { parseJsonObject } from "../json-object.ts";
import type { Version } from "./automation.ts";
import { triggerPermission } from "./trigger.ts";

/** Permissions that a version needs from its publisher, for its steps and for what triggers it; sorted, each once. */
export function permissionsNeeded({ steps, trigger }: Pick<Version, "steps" | "trigger">): string[] {
  const bySteps = steps.flatMap(({ promptTemplate }) => {
    const fields = parseJsonObject(promptTemplate) ?? {};
    return isStepType(fields["type"]) ? stepHandlers[fields["type"]].permissions(fields) : [];
  });
  const byTrigger = trigger && triggerPermission(trigger.event);
  return [...new Set(byTrigger === undefined ? bySteps : [...bySteps, byTrigger])].sort();
}

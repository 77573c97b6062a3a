import { isStepType, stepHandlers } from "../automation-steps/step-handlers/step-handlers.ts";
import { parseJsonObject } from "../json-object.ts";
import type { Step } from "./automation.ts";

/** Permissions that the steps need from their publisher; sorted, each once. */
export function permissionsNeeded(steps: readonly Pick<Step, "promptTemplate">[]): string[] {
  const needed = steps.flatMap(({ promptTemplate }) => {
    const fields = parseJsonObject(promptTemplate) ?? {};
    return isStepType(fields["type"]) ? stepHandlers[fields["type"]].permissions(fields) : [];
  });
  return [...new Set(needed)].sort();
}

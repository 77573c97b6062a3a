import { createHash } from "node:crypto";
import type { Version } from "./automation.ts";

/** SHA-256, in hex, of all that decides what a version's runs do. */
export function stepsDigest({
  automationId,
  steps,
  transitions,
  trigger,
}: Pick<Version, "automationId" | "steps" | "transitions" | "trigger">): string {
  const content = [
    automationId,
    steps.map(({ id, key, name, promptTemplate, featureKeys }) => [id, key, name, promptTemplate, featureKeys]),
    transitions.map(({ id, sourceStepId, targetStepId, label }) => [id, sourceStepId, targetStepId, label]),
    trigger ? [trigger.event, trigger.when] : [],
  ];
  return createHash("sha256").update(JSON.stringify(content), "utf8").digest("hex");
}

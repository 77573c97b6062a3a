import { createHash } from "node:crypto";
import type { Schedule } from "../automation-schedules/schedule.ts";
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
    trigger ? [trigger.event, trigger.when, ...scheduleContent(trigger.schedule)] : [],
  ];
  return createHash("sha256").update(JSON.stringify(content), "utf8").digest("hex");
}

/** Nothing where there is none: digests of versions from before schedules stay as they are. */
function scheduleContent(schedule: Schedule | undefined): string[] {
  return schedule ? [schedule.cron, schedule.timeZone, schedule.missed] : [];
}

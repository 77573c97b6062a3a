import {
  type AutomationTrigger,
  AutomationTriggerSchema,
  MissedRunPolicy,
} from "@aiplatform/contract/aiplatform/content/v1/automations";
import { create } from "@bufbuild/protobuf";
import type { MissedRuns } from "../automation-schedules/schedule.ts";
import type { Trigger } from "./automation.ts";

const policies: Readonly<Record<MissedRuns, MissedRunPolicy>> = {
  skip: MissedRunPolicy.SKIP,
  catch_up: MissedRunPolicy.CATCH_UP,
};
const utc = "UTC";

/** A trigger as written. */
export function triggerOf({ event = "", when, schedule }: AutomationTrigger): Trigger {
  if (!schedule) return { event, when, schedule: undefined };
  const { cron = "", timeZone, missed } = schedule;
  const policy = missed === MissedRunPolicy.CATCH_UP ? "catch_up" : "skip";
  return { event, when, schedule: { cron, timeZone: timeZone || utc, missed: policy } };
}

/** A trigger as callers see it. */
export function triggerMessage({ event, when, schedule }: Trigger): AutomationTrigger {
  if (!schedule) return create(AutomationTriggerSchema, { event, when });
  const { cron, timeZone, missed } = schedule;
  return create(AutomationTriggerSchema, { event, when, schedule: { cron, timeZone, missed: policies[missed] } });
}

import { event as eventOption } from "@aiplatform/contract/aiplatform/events/v1/event";
import { events } from "@aiplatform/contract/events";
import type { FieldViolation } from "@aiplatform/service-host";
import { type DescMessage, getOption } from "@bufbuild/protobuf";
import { onSchedule } from "../automation-schedules/schedule.ts";
import { scheduleProblems } from "../automation-schedules/schedule-problems.ts";
import type { Trigger } from "./automation.ts";
import { ConditionError, readCondition } from "./condition.ts";

/** Characters of a condition at most. */
const maxConditionLength = 2_000;

/** An event that can start a run. */
export interface TriggerEvent {
  schema: DescMessage;
  /** Permission that its publisher needs, `resource:action`: the one that reading what it is about through the API needs. */
  readPermission: string;
}

/**
 * The events that can start a run, by name (`domain.entity.happened`): all that are an organisation's own, save those that runs
 * themselves announce, those that tell of callers, who could start runs by being refused, and those that say no permission.
 */
export const triggers: ReadonlyMap<string, TriggerEvent> = new Map(
  events.filter(isTrigger).map((schema) => {
    const { readPermission } = getOption(schema, eventOption);
    return [triggerName(schema), { schema, readPermission }];
  }),
);

/** Permission to start runs on demand, which a publisher needs for a schedule as well. */
const runPermission = "automations:run";

/** Permission that a publisher needs so that the event, or a schedule, starts runs. Undefined: it can start none. */
export function triggerPermission(event: string): string | undefined {
  return event === onSchedule ? runPermission : triggers.get(event)?.readPermission;
}

/** A publisher may not read the events that the trigger names, or not start runs. */
export class TriggerNotReadableError extends Error {
  override name = "TriggerNotReadableError";
  readonly permission: string;
  constructor(event: string, permission: string) {
    const purpose = event === onSchedule ? "start runs" : "read the event";
    const remedy = "Ask an administrator to grant it, or publish without the trigger";
    super(`Missing permission: ${permission}. The trigger ${event} needs it to ${purpose}. ${remedy}`);
    this.permission = permission;
  }
}

/** @throws TriggerNotReadableError */
export function assertMayRead(permissions: ReadonlySet<string>, trigger: Trigger | undefined): void {
  if (!trigger) return;
  const needed = triggerPermission(trigger.event);
  if (needed !== undefined && !permissions.has(needed)) throw new TriggerNotReadableError(trigger.event, needed);
}

/** Name of an event, as triggers say it. */
function triggerName(schema: DescMessage): string {
  const { domain, entity, happened } = getOption(schema, eventOption);
  return `${domain}.${entity}.${happened}`;
}

function isTrigger(schema: DescMessage): boolean {
  const { domain, entity, readPermission } = getOption(schema, eventOption);
  const isOfTheOrganisation = schema.fields.some(({ name }) => name === "organisation_id");
  const isRead = isOfTheOrganisation && readPermission !== "";
  return isRead && domain !== "mesh" && entity !== "credential" && entity !== "automation_run";
}

/** What is wrong with a trigger, each with its place. */
export function triggerProblems(trigger: Trigger | undefined): FieldViolation[] {
  if (!trigger) return [];
  const { event, when, schedule } = trigger;
  const inSchedule = schedule ? scheduleProblems(schedule) : [];
  return [...eventProblems(event), ...presenceProblems(trigger), ...inSchedule, ...conditionProblems(when)];
}

function presenceProblems({ event, schedule }: Trigger): FieldViolation[] {
  const field = "trigger.schedule";
  if (event === onSchedule && !schedule) return [{ field, reason: "MISSING", description: "Field required" }];
  if (event === onSchedule || !schedule) return [];
  const description = `Value error, a schedule belongs to the event ${onSchedule} and to no other`;
  return [{ field, reason: "VALUE_ERROR", description }];
}

function eventProblems(name: string): FieldViolation[] {
  if (triggerPermission(name) !== undefined) return [];
  const description = "Value error, no event of this name can start a run";
  return [{ field: "trigger.event", reason: "UNKNOWN_EVENT", description }];
}

function conditionProblems(when: string): FieldViolation[] {
  if (when.trim() === "") return [];
  const field = "trigger.when";
  if (when.length > maxConditionLength) {
    const description = `String should have at most ${maxConditionLength} characters`;
    return [{ field, reason: "STRING_TOO_LONG", description }];
  }
  try {
    readCondition(when);
    return [];
  } catch (error) {
    if (!(error instanceof ConditionError)) throw error;
    return [{ field, reason: "TEMPLATE_INVALID", description: `Value error, ${error.message}` }];
  }
}

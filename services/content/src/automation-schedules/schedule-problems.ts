import type { FieldViolation } from "@aiplatform/service-host";
import { CronError, isTimeZone, NeverDueError, nextDueTime } from "./due-times.ts";
import type { Schedule } from "./schedule.ts";

/** Characters of an expression at most. */
const maxCronLength = 100;
/** Whether there is a due time at all does not depend on when it is asked. */
const anyTime = new Date(0);

/** What is wrong with a schedule, each with its place. */
export function scheduleProblems(schedule: Schedule): FieldViolation[] {
  const field = "trigger.schedule.cron";
  if (schedule.cron.length > maxCronLength) {
    const description = `String should have at most ${maxCronLength} characters`;
    return [{ field, reason: "STRING_TOO_LONG", description }];
  }
  const zone = isTimeZone(schedule.timeZone) ? [] : [unknownZone];
  try {
    // The expression is judged whether or not its zone is known.
    nextDueTime(zone.length === 0 ? schedule : { ...schedule, timeZone: "UTC" }, anyTime);
    return zone;
  } catch (error) {
    if (!(error instanceof CronError)) throw error;
    const reason = error instanceof NeverDueError ? "SCHEDULE_NEVER_DUE" : "CRON_INVALID";
    return [{ field, reason, description: `Value error, ${error.message}` }, ...zone];
  }
}

const unknownZone: FieldViolation = {
  field: "trigger.schedule.time_zone",
  reason: "TIME_ZONE_UNKNOWN",
  description: "Value error, no time zone has this name; use one such as Europe/Berlin or UTC",
};

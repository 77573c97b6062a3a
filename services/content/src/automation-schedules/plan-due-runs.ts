import { newestDueTimes, nextDueTime } from "./due-times.ts";
import { type KeptSchedule, maxCaughtUp, maxLatenessMs } from "./schedule.ts";

/** What a schedule that was looked at is to do. */
export interface DuePlan {
  /** Due times that start a run each, oldest first. */
  runs: readonly Date[];
  /** Due times that start none because they are over for too long: whether there are some. */
  hasMissed: boolean;
  /** The due time that comes after all of these. */
  next: Date;
}

type Standing = Pick<KeptSchedule, "cron" | "timeZone" | "missed" | "nextRunAt" | "activeFrom">;

/** Decides which due times start runs now. A table in its test. */
export function planDueRuns(schedule: Standing, now: Date): DuePlan {
  const { missed, nextRunAt, activeFrom } = schedule;
  if (nextRunAt > now) return { runs: [], hasMissed: false, next: nextRunAt };
  const from = nextRunAt > activeFrom ? nextRunAt : activeFrom;
  // One more than may run tells whether there are others.
  const due = newestDueTimes(schedule, { from, until: now, most: (missed === "catch_up" ? maxCaughtUp : 1) + 1 });
  const oldest = new Date(now.getTime() - maxLatenessMs);
  const runs = missed === "catch_up" ? due.slice(-maxCaughtUp) : due.slice(-1).filter((time) => time >= oldest);
  return { runs, hasMissed: runs.length < due.length, next: nextDueTime(schedule, now) };
}

import { Cron } from "croner";
import type { Schedule } from "./schedule.ts";

type Times = Pick<Schedule, "cron" | "timeZone">;

/** The expression is not one, or is never due; the message says why. */
export class CronError extends Error {
  override name = "CronError";
}

/** The expression is one, and no day has such a time, such as 30 February. */
export class NeverDueError extends CronError {
  override name = "NeverDueError";
  constructor() {
    super("no day has such a time");
  }
}

const fieldCount = 5;
/** `*`, a number, a name or a range of these, each of `*` and the range with a step. */
const item = /^(?:\*|(?:[0-9]{1,2}|[A-Za-z]{3})(?:-(?:[0-9]{1,2}|[A-Za-z]{3}))?)(?:\/[0-9]{1,2})?$/;
/** Begins with a letter: offsets such as `+01:00` are no zones. */
const zoneName = /^[A-Za-z][A-Za-z0-9_+/-]{0,63}$/;

/** The first due time after this one. @throws CronError */
export function nextDueTime(times: Times, after: Date): Date {
  const next = read(times).nextRun(after);
  if (!next) throw new NeverDueError();
  return next;
}

/** The newest due times from one time to another, both included, oldest first. @throws CronError */
export function newestDueTimes(times: Times, { from, until, most }: { from: Date; until: Date; most: number }): Date[] {
  const cron = read(times);
  const found: Date[] = [];
  // What is looked for lies before the second in which the search begins.
  let before = new Date(until.getTime() + 1_000);
  while (found.length < most) {
    const [time] = cron.previousRuns(1, before);
    if (!time || time < from) break;
    if (time <= until) found.unshift(time);
    before = time;
  }
  return found;
}

export function isTimeZone(name: string): boolean {
  if (!zoneName.test(name)) return false;
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

function read({ cron, timeZone }: Times): Cron {
  const fields = cron.trim().split(/[ \t]+/);
  if (fields.length !== fieldCount)
    throw new CronError(`it needs ${fieldCount} fields: minute, hour, day of the month, month and day of the week`);
  const wrong = fields.flatMap((field) => field.split(",")).find((each) => !item.test(each));
  if (wrong !== undefined)
    throw new CronError(
      `"${wrong}" is none of *, a number, a name, a range such as 1-5, or these with a step such as */15`,
    );
  try {
    // As Vixie cron where clocks change: fixed times are due once on each day, all others follow the clock on the wall.
    return new Cron(fields.join(" "), {
      timezone: timeZone,
      mode: "5-part",
      fixedTimeRule: "no-wildcard",
      paused: true,
    });
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : "";
    throw new CronError(message.replace(/^CronPattern: /, "") || "it cannot be read", { cause });
  }
}

/** What becomes of due times at which no run could start. */
export type MissedRuns = "skip" | "catch_up";

/** Times at which runs start. */
export interface Schedule {
  /** Minute, hour, day of the month, month and day of the week. */
  cron: string;
  /** IANA name. */
  timeZone: string;
  missed: MissedRuns;
}

/** A schedule that a published version has, and where it stands. */
export interface KeptSchedule extends Schedule {
  organisationId: string;
  automationId: string;
  /** The published version. */
  versionId: string;
  /** The due time that starts the next run. */
  nextRunAt: Date;
  /** Due times before it start no run. */
  activeFrom: Date;
}

/** The event of triggers that have a schedule, and `startedBy` of the runs that it starts. */
export const onSchedule = "schedule";

/** How late a run may begin and still not count as missed, ms. */
export const maxLatenessMs = 60_000;
/** Missed due times that are caught up with at most: the newest. */
export const maxCaughtUp = 10;

export function isSameSchedule(one: Schedule | undefined, other: Schedule | undefined): boolean {
  return isSameTimes(one, other) && one?.missed === other?.missed;
}

/** Whether both are due at the same times. */
export function isSameTimes(one: Schedule | undefined, other: Schedule | undefined): boolean {
  return one?.cron === other?.cron && one?.timeZone === other?.timeZone;
}

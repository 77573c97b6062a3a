import { describe, expect, it } from "vitest";
import { planDueRuns } from "./plan-due-runs.ts";
import type { MissedRuns } from "./schedule.ts";

const day = (time: string) => new Date(`2026-03-02T${time}Z`);

interface Row {
  what: string;
  missed: MissedRuns;
  next: string;
  activeFrom?: string;
  now: string;
  runs: string[];
  hasMissed: boolean;
  after: string;
}

const everyTenMinutes: Row[] = [
  {
    what: "not due yet",
    missed: "skip",
    next: "09:10",
    now: "09:09:59.999",
    runs: [],
    hasMissed: false,
    after: "09:10",
  },
  {
    what: "due at this instant",
    missed: "skip",
    next: "09:10",
    now: "09:10",
    runs: ["09:10"],
    hasMissed: false,
    after: "09:20",
  },
  {
    what: "a minute late",
    missed: "skip",
    next: "09:10",
    now: "09:11",
    runs: ["09:10"],
    hasMissed: false,
    after: "09:20",
  },
  {
    what: "later than that",
    missed: "skip",
    next: "09:10",
    now: "09:11:00.001",
    runs: [],
    hasMissed: true,
    after: "09:20",
  },
  {
    what: "many are over, the newest is not",
    missed: "skip",
    next: "07:10",
    now: "09:10:30",
    runs: ["09:10"],
    hasMissed: true,
    after: "09:20",
  },
  { what: "many are over", missed: "skip", next: "07:10", now: "09:15", runs: [], hasMissed: true, after: "09:20" },
  {
    what: "two are over",
    missed: "catch_up",
    next: "09:00",
    now: "09:15",
    runs: ["09:00", "09:10"],
    hasMissed: false,
    after: "09:20",
  },
  {
    what: "more are over than are caught up with",
    missed: "catch_up",
    next: "00:10",
    now: "02:05",
    runs: ["00:30", "00:40", "00:50", "01:00", "01:10", "01:20", "01:30", "01:40", "01:50", "02:00"],
    hasMissed: true,
    after: "02:10",
  },
  {
    what: "the organisation was suspended meanwhile",
    missed: "catch_up",
    next: "08:00",
    activeFrom: "09:05",
    now: "09:15",
    runs: ["09:10"],
    hasMissed: false,
    after: "09:20",
  },
  {
    what: "it was suspended until now",
    missed: "catch_up",
    next: "08:00",
    activeFrom: "09:12",
    now: "09:15",
    runs: [],
    hasMissed: false,
    after: "09:20",
  },
];

describe("a schedule that is due every ten minutes", () => {
  it.each(everyTenMinutes)("$missed, $what", ({ missed, next, activeFrom = "00:00", now, runs, hasMissed, after }) => {
    const standing = {
      cron: "*/10 * * * *",
      timeZone: "UTC",
      missed,
      nextRunAt: day(next),
      activeFrom: day(activeFrom),
    };
    expect(planDueRuns(standing, day(now))).toEqual({ runs: runs.map(day), hasMissed, next: day(after) });
  });
});

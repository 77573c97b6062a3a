import { describe, expect, it } from "vitest";
import { CronError, isTimeZone, newestDueTimes, nextDueTime } from "./due-times.ts";

type Times = Parameters<typeof nextDueTime>[0];

const berlin = "Europe/Berlin";
/** Half an hour more or less. */
const lordHowe = "Australia/Lord_Howe";

function dueAfter(times: Times, after: string, count: number): string[] {
  const found: Date[] = [];
  for (let at = new Date(after); found.length < count; found.push(at)) at = nextDueTime(times, at);
  return found.map((time) => time.toISOString());
}

const short = (time: string) => new Date(time).toISOString();

describe("the due times of an expression", () => {
  it.each([
    ["* * * * *", "2026-03-02T09:00:30.500Z", ["2026-03-02T09:01Z", "2026-03-02T09:02Z"]],
    ["*/15 9-10 * * *", "2026-03-02T10:31Z", ["2026-03-02T10:45Z", "2026-03-03T09:00Z"]],
    ["0 6 * * MON-FRI", "2026-03-06T06:00Z", ["2026-03-09T06:00Z", "2026-03-10T06:00Z"]],
    ["0 6 * * 7", "2026-03-06T06:00Z", ["2026-03-08T06:00Z", "2026-03-15T06:00Z"]],
    ["0 0 1 jan,JUL *", "2026-03-06T06:00Z", ["2026-07-01T00:00Z", "2027-01-01T00:00Z"]],
    ["0 0 13 * 5", "2026-04-04T00:00Z", ["2026-04-10T00:00Z", "2026-04-13T00:00Z"]],
    ["0 0 29 2 *", "2026-03-01T00:00Z", ["2028-02-29T00:00Z", "2032-02-29T00:00Z"]],
    ["0 0 31 * *", "2026-03-31T00:00Z", ["2026-05-31T00:00Z", "2026-07-31T00:00Z"]],
    ["  5\t4  * * * ", "2026-03-06T06:00Z", ["2026-03-07T04:05Z", "2026-03-08T04:05Z"]],
  ])("%s after %s", (cron, after, expected) => {
    expect(dueAfter({ cron, timeZone: "UTC" }, after, expected.length)).toEqual(expected.map(short));
  });
});

describe("where the clock is put forward", () => {
  it.each([
    // 29 March 2026: 02:00 is followed by 03:00, at 01:00 UTC.
    [
      "a fixed time that is left out is due when the clock goes on",
      "30 2 * * *",
      berlin,
      ["2026-03-29T01:00Z", "2026-03-30T00:30Z"],
    ],
    ["two of them are due once", "0,30 2 * * *", berlin, ["2026-03-29T01:00Z", "2026-03-30T00:00Z"]],
    ["a fixed time behind is due as ever", "10 3 * * *", berlin, ["2026-03-29T01:10Z", "2026-03-30T01:10Z"]],
    ["each hour is due at the hours that there are", "0 * * * *", berlin, ["2026-03-29T00:00Z", "2026-03-29T01:00Z"]],
    [
      "every other hour skips the one that is left out",
      "0 */2 * * *",
      berlin,
      ["2026-03-29T02:00Z", "2026-03-29T04:00Z"],
    ],
    [
      "steps within the hour that is left out are not due",
      "*/30 2 * * *",
      berlin,
      ["2026-03-30T00:00Z", "2026-03-30T00:30Z"],
    ],
  ])("%s: %s in %s", (_, cron, timeZone, expected) => {
    expect(dueAfter({ cron, timeZone }, "2026-03-28T23:30Z", expected.length)).toEqual(expected.map(short));
  });

  it("by half an hour, a fixed time is due when it goes on", () => {
    const due = dueAfter({ cron: "15 2 * * *", timeZone: lordHowe }, "2026-10-03T00:00Z", 2);
    expect(due).toEqual(["2026-10-03T15:30Z", "2026-10-04T15:15Z"].map(short));
  });

  it("at midnight, the day begins an hour later", () => {
    const due = dueAfter({ cron: "0 0 * * *", timeZone: "America/Sao_Paulo" }, "2018-11-03T12:00Z", 2);
    expect(due).toEqual(["2018-11-04T03:00Z", "2018-11-05T02:00Z"].map(short));
  });
});

describe("where the clock is put back", () => {
  it.each([
    // 25 October 2026: 02:00 to 03:00 is there twice, from 00:00 and from 01:00 UTC.
    ["a fixed time is due the first time", "30 2 * * *", berlin, ["2026-10-25T00:30Z", "2026-10-26T01:30Z"]],
    ["a list of them as well", "0,30 2 * * *", berlin, ["2026-10-25T00:00Z", "2026-10-25T00:30Z", "2026-10-26T01:00Z"]],
    [
      "each hour is due both times",
      "0 * * * *",
      berlin,
      ["2026-10-25T00:00Z", "2026-10-25T01:00Z", "2026-10-25T02:00Z"],
    ],
    [
      "steps are due both times",
      "*/30 2 * * *",
      berlin,
      ["2026-10-25T00:00Z", "2026-10-25T00:30Z", "2026-10-25T01:00Z", "2026-10-25T01:30Z"],
    ],
  ])("%s: %s in %s", (_, cron, timeZone, expected) => {
    expect(dueAfter({ cron, timeZone }, "2026-10-24T23:30Z", expected.length)).toEqual(expected.map(short));
  });

  it("by half an hour, a fixed time is due the first time", () => {
    const due = dueAfter({ cron: "45 1 * * *", timeZone: lordHowe }, "2026-04-04T00:00Z", 2);
    expect(due).toEqual(["2026-04-04T14:45Z", "2026-04-05T15:15Z"].map(short));
  });
});

describe("the newest due times", () => {
  const every = { cron: "*/10 * * * *", timeZone: "UTC" };
  const between = (from: string, until: string, most: number) =>
    newestDueTimes(every, { from: new Date(from), until: new Date(until), most }).map((time) => time.toISOString());

  it("are those of a time, both its ends included", () => {
    expect(between("2026-03-02T09:00Z", "2026-03-02T09:20Z", 5)).toEqual(
      ["2026-03-02T09:00Z", "2026-03-02T09:10Z", "2026-03-02T09:20Z"].map(short),
    );
    expect(between("2026-03-02T09:00:00.001Z", "2026-03-02T09:19:59.999Z", 5)).toEqual([short("2026-03-02T09:10Z")]);
  });

  it("are so many at most, and there may be none", () => {
    expect(between("2020-01-01T00:00Z", "2026-03-02T09:20:00.500Z", 2)).toEqual(
      ["2026-03-02T09:10Z", "2026-03-02T09:20Z"].map(short),
    );
    expect(between("2026-03-02T09:01Z", "2026-03-02T09:09Z", 2)).toEqual([]);
  });

  it.each([berlin, lordHowe, "America/Havana", "Africa/Casablanca"])(
    "are those that come one after the other in %s",
    (timeZone) => {
      for (const cron of ["30 2 * * *", "0,30 1-3 * * *", "0 0 * * *", "*/20 * * * *", "15 */3 * * *"]) {
        const forward: Date[] = [];
        const from = new Date("2026-03-28T00:00Z");
        for (let at = from; forward.length < 40; forward.push(at)) at = nextDueTime({ cron, timeZone }, at);
        const until = forward.at(-1) ?? from;
        expect(newestDueTimes({ cron, timeZone }, { from, until, most: 40 })).toEqual(forward);
      }
    },
  );
});

describe("what is no expression", () => {
  it.each([
    ["", "it needs 5 fields"],
    ["0 0 * *", "it needs 5 fields"],
    ["0 0 0 * * *", "it needs 5 fields"],
    ["@daily", "it needs 5 fields"],
    ["60 * * * *", "Invalid value for minute: 60"],
    ["0 24 * * *", "Invalid value for hour: 24"],
    ["*/0 * * * *", "illegal stepping: 0"],
    ["30-10 * * * *", "From value is larger than to value"],
    ["1,,2 * * * *", '"" is none of'],
    ["5/15 * * * *", "numeric prefix"],
    ["H * * * *", '"H" is none of'],
    ["0 0 L * *", '"L" is none of'],
    ["0 0 15W * *", '"15W" is none of'],
    ["0 0 ? * *", '"?" is none of'],
    ["0 0 * * MON#2", '"MON#2" is none of'],
    ["0 0 * * +5", '"+5" is none of'],
    ["0 0 * FOO *", "illegal characters"],
    ["0 0 30 2 *", "no day has such a time"],
  ])("%j says so", (cron, message) => {
    expect(() => nextDueTime({ cron, timeZone: "UTC" }, new Date(0))).toThrow(CronError);
    expect(() => nextDueTime({ cron, timeZone: "UTC" }, new Date(0))).toThrow(message);
  });
});

describe("a time zone", () => {
  it.each([
    ["Europe/Berlin", true],
    ["America/Argentina/Buenos_Aires", true],
    ["Etc/GMT+3", true],
    ["UTC", true],
    ["Europe/Atlantis", false],
    ["+01:00", false],
    ["01:00", false],
    ["", false],
    ["Europe/Berlin ", false],
    ["A".repeat(65), false],
  ])("%j: %s", (name, isOne) => {
    expect(isTimeZone(name)).toBe(isOne);
  });
});

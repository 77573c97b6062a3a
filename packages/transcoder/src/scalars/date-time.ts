import { Fault, faults } from "../errors/fault.ts";

/** An instant as protobuf's Timestamp has it. */
export interface Instant {
  seconds: bigint;
  nanos: number;
}

// Above this a number counts milliseconds instead of seconds.
const millisecondsAbove = 2e10;
const maxEpochMs = 253_402_300_799_999;
const timePattern = /^[Tt _](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d+))?)?(Z|z|[+\-\u2212]\d\d:?\d\d)?$/;
// An exponent counts only after a point.
const numberPattern = /^[+-]?(?:\d+|(?:\d+\.\d*|\.\d+)(?:[eE][+-]?\d+)?)$/;

/**
 * Reads a date-time: RFC 3339 and its relatives, a date, or a number of (milli)seconds. Without offset it is UTC, or refused where
 * it has to have one.
 */
export function readDateTime(text: string, needsZone = false): Instant | Fault {
  if (numberPattern.test(text) && Math.abs(Number(text)) < 2 ** 63) return readEpoch(Number(text));
  const date = readDate(text);
  if (date instanceof Fault) return date;
  const rest = text.slice(10);
  const time = rest === "" ? { seconds: 0, micros: 0, hasZone: false } : readTime(rest);
  if (time === undefined) return fromDateFault("unexpected extra characters at the end of the input");
  if (date.year === 0)
    return dateTimeFault("datetime_parsing", "Input should be a valid datetime", "year 0 is out of range");
  if (needsZone && !time.hasZone) return faults.zone;
  return { seconds: BigInt(date.seconds + time.seconds), nanos: time.micros * 1000 };
}

/** Reads a number of seconds since 1970, or of milliseconds when it is large. */
export function readEpoch(value: number): Instant | Fault {
  const ms = Math.abs(value) > millisecondsAbove ? value : value * 1000;
  if (!(Math.abs(ms) <= maxEpochMs)) return fromDateFault("dates after 9999 are not supported as unix timestamps");
  const micros = Math.round(ms * 1000);
  const seconds = Math.floor(micros / 1e6);
  return { seconds: BigInt(seconds), nanos: (micros - seconds * 1e6) * 1000 };
}

function readDate(text: string): { year: number; seconds: number } | Fault {
  if (Buffer.byteLength(text) < 10) return fromDateFault("input is too short");
  const [year, month, day] = [text.slice(0, 4), text.slice(5, 7), text.slice(8, 10)];
  if (!/^\d{4}$/.test(year)) return fromDateFault("invalid character in year");
  if (text[4] !== "-") return fromDateFault("invalid date separator, expected `-`");
  if (!/^\d\d$/.test(month)) return fromDateFault("invalid character in month");
  if (text[7] !== "-") return fromDateFault("invalid date separator, expected `-`");
  if (!/^\d\d$/.test(day)) return fromDateFault("invalid character in day");
  if (Number(month) < 1 || Number(month) > 12) return fromDateFault("month value is outside expected range of 1-12");
  const date = new Date(0);
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  if (date.getUTCDate() !== Number(day)) return fromDateFault("day value is outside expected range");
  return { year: Number(year), seconds: date.getTime() / 1000 };
}

function readTime(text: string): { seconds: number; micros: number; hasZone: boolean } | undefined {
  const match = timePattern.exec(text);
  if (match === null) return undefined;
  const [hour, minute, second] = [Number(match[1]), Number(match[2]), Number(match[3] ?? 0)];
  const offset = readOffset(match[5]);
  if (hour > 23 || minute > 59 || second > 59 || offset === undefined) return undefined;
  const micros = Number((match[4] ?? "").slice(0, 6).padEnd(6, "0"));
  return { seconds: hour * 3600 + minute * 60 + second - offset, micros, hasZone: match[5] !== undefined };
}

/** Seconds east of UTC. */
function readOffset(text: string | undefined): number | undefined {
  if (text === undefined || text.toUpperCase() === "Z") return 0;
  const hours = Number(text.slice(1, 3));
  const minutes = Number(text.slice(-2));
  if (hours > 23 || minutes > 59) return undefined;
  return (text.startsWith("+") ? 1 : -1) * (hours * 3600 + minutes * 60);
}

function fromDateFault(error: string): Fault {
  return dateTimeFault("datetime_from_date_parsing", "Input should be a valid datetime or date", error);
}

function dateTimeFault(type: string, msg: string, error: string): Fault {
  return new Fault(type, `${msg}, ${error}`, JSON.stringify({ error }));
}

/** What a column of a text format holds. */
export type ColumnType = "string" | "integer" | "number" | "boolean" | "date" | "date_time";

/** What stands for a value that is not there. */
export const missingValues: ReadonlySet<string> = new Set([
  "",
  "NA",
  "N/A",
  "na",
  "n/a",
  "NaN",
  "nan",
  "NULL",
  "Null",
  "null",
  "None",
]);

/**
 * What a single value can be read as; the first that fits. A number that begins with a needless zero, or whole and too long for
 * 64 bits, is a text: postcodes and ids lose digits as numbers.
 */
const readings: readonly [type: ColumnType, fits: (value: string) => boolean][] = [
  ["boolean", (value) => /^(?:true|false|yes|no)$/i.test(value)],
  ["integer", (value) => /^[+-]?(?:0|[1-9]\d*)$/.test(value) && fitsInto64Bits(value)],
  ["number", (value) => /^[+-]?(?:(?:0|[1-9]\d*)\.\d*|\.\d+)(?:e[+-]?\d{1,3})?$/i.test(value)],
  ["number", (value) => /^[+-]?(?:0|[1-9]\d*)e[+-]?\d{1,3}$/i.test(value)],
  ["date", (value) => /^\d{4}-\d\d-\d\d$/.test(value) && isDay(value)],
  ["date_time", (value) => isDateTime(value)],
];

/** What two readings have in common; any other two are text. */
const widened: readonly [ColumnType, ColumnType, ColumnType][] = [
  ["integer", "number", "number"],
  ["date", "date_time", "date_time"],
];

/** What a value is; undefined where it is missing. */
export function typeOfValue(value: string): ColumnType | undefined {
  const text = value.trim();
  if (missingValues.has(text)) return undefined;
  return readings.find(([, fits]) => fits(text))?.[0] ?? "string";
}

/** What can hold both. */
export function widerType(one: ColumnType, other: ColumnType): ColumnType {
  if (one === other) return one;
  const common = widened.find(([a, b]) => (a === one && b === other) || (a === other && b === one));
  return common?.[2] ?? "string";
}

/** What the values of a column are, as far as these tell; text when none is there. */
export function guessType(values: Iterable<string>): ColumnType {
  let guess: ColumnType | undefined;
  for (const value of values) {
    const type = typeOfValue(value);
    if (type !== undefined) guess = guess === undefined ? type : widerType(guess, type);
    // Nothing is wider than text.
    if (guess === "string") break;
  }
  return guess ?? "string";
}

function fitsInto64Bits(value: string): boolean {
  return value.length <= 20 && BigInt.asIntN(64, BigInt(value.replace("+", ""))) === BigInt(value.replace("+", ""));
}

/** Whether the calendar has the day. */
function isDay(text: string): boolean {
  const day = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text);
}

function isDateTime(value: string): boolean {
  const parts = /^(\d{4}-\d\d-\d\d)[T ](\d\d):(\d\d)(?::(\d\d)(?:[.,]\d{1,9})?)?(?:Z|z|[+-]\d\d(?::?\d\d)?)?$/.exec(
    value,
  );
  if (!parts) return false;
  const [, day = "", hours, minutes, seconds = "0"] = parts;
  return isDay(day) && Number(hours) < 24 && Number(minutes) < 60 && Number(seconds) <= 60;
}

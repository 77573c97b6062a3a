import {
  TIME,
  TIMESTAMP,
  TIMESTAMP_NS,
  TIMESTAMPTZ,
  timestampNanosValue,
  timestampTZValue,
  timestampValue,
  timeValue,
} from "@duckdb/node-api";
import { type TimestampType, type TimeType, TimeUnit } from "@uwdata/flechette";
import { type DuckColumn, notOfType, numbersOf, readable } from "./duck-column.ts";

/** Of each unit in a second. */
const perSecond: Readonly<Record<number, bigint>> = {
  [TimeUnit.SECOND]: 1n,
  [TimeUnit.MILLISECOND]: 1_000n,
  [TimeUnit.MICROSECOND]: 1_000_000n,
  [TimeUnit.NANOSECOND]: 1_000_000_000n,
};
const microsPerSecond = 1_000_000n;
const dayMicros = 86_400n * microsPerSecond;
/** The last ones stand for what never ends. */
const maxMicros = 2n ** 63n - 2n;

/** Exactly as microseconds. @throws ArrowFault */
function microsOf(value: bigint, unit: number, bounds: { readonly least: bigint; readonly most: bigint }): bigint {
  const scaled = value * microsPerSecond;
  const units = perSecond[unit] ?? 1n;
  if (scaled % units !== 0n)
    throw notOfType(
      "A time has parts of a microsecond, which are not kept",
      'Cast the column to microseconds, such as timestamp("us", tz) or time64("us").',
    );
  const micros = scaled / units;
  if (micros < bounds.least || micros > bounds.most) throw notOfType("A time is out of bounds");
  return micros;
}

export function timeColumn({ unit, values }: TimeType): DuckColumn {
  return readable(TIME, (batch) => {
    const numbers = numbersOf(batch, values);
    return (index) => timeValue(microsOf(BigInt(numbers[index] ?? 0), unit, { least: 0n, most: dayMicros - 1n }));
  });
}

/** In UTC where it has a zone: an instant has one whatever it is called. */
export function timestampColumn({ unit, timezone, values }: TimestampType): DuckColumn {
  const bounds = { least: -maxMicros, most: maxMicros };
  const hasZone = timezone !== null && timezone !== "";
  if (unit === TimeUnit.NANOSECOND && !hasZone)
    return readable(TIMESTAMP_NS, (batch) => {
      const numbers = numbersOf(batch, values);
      return (index) => timestampNanosValue(BigInt(numbers[index] ?? 0));
    });
  const instant = hasZone ? timestampTZValue : timestampValue;
  return readable(hasZone ? TIMESTAMPTZ : TIMESTAMP, (batch) => {
    const numbers = numbersOf(batch, values);
    return (index) => instant(microsOf(BigInt(numbers[index] ?? 0), unit, bounds));
  });
}

import { numberOf } from "../api/number-of.ts";

const compact = new Intl.NumberFormat("en", { maximumSignificantDigits: 5 });
const binaryUnits = ["B", "KiB", "MiB", "GiB", "TiB"];

/** A value of a metric with five digits; very small and very large ones with an exponent. */
export function metricText(value: unknown): string {
  const number = numberOf(value);
  if (!Number.isFinite(number)) return String(number);
  const size = Math.abs(number);
  return size !== 0 && (size < 1e-4 || size >= 1e7) ? number.toExponential(2) : compact.format(number);
}

/** Bytes in binary units: `1.5 MiB`. */
export function bytesText(bytes: number): string {
  const step = bytes < 1 ? 0 : Math.min(Math.floor(Math.log2(bytes) / 10), binaryUnits.length - 1);
  return `${compact.format(Number((bytes / 1024 ** step).toPrecision(3)))} ${binaryUnits[step]}`;
}

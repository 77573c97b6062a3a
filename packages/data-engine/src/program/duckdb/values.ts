import {
  DuckDBArrayValue,
  DuckDBBlobValue,
  DuckDBListValue,
  DuckDBMapValue,
  DuckDBStructValue,
  DuckDBTimestampMillisecondsValue,
  DuckDBTimestampNanosecondsValue,
  DuckDBTimestampSecondsValue,
  DuckDBTimestampTZValue,
  DuckDBTimestampValue,
  DuckDBUnionValue,
  type DuckDBValue,
} from "@duckdb/node-api";
import type { JsonValue } from "../../requests.ts";

const biggest = BigInt(Number.MAX_SAFE_INTEGER);
const timestamps = [
  ...[DuckDBTimestampValue, DuckDBTimestampTZValue, DuckDBTimestampSecondsValue],
  ...[DuckDBTimestampMillisecondsValue, DuckDBTimestampNanosecondsValue],
];

/** Integers that a number of JSON cannot hold are texts, as in predictions. */
const jsonOfInteger = (value: bigint): JsonValue =>
  value <= biggest && value >= -biggest ? Number(value) : value.toString();

/** `2026-01-02 10:00:00+00` as ISO 8601 has it. */
const isoOf = (text: string) => text.replace(" ", "T").replace(/\+00(?::00)?$/, "Z");

const base64Of = (bytes: Uint8Array) =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64");

/** A value of a result as JSON: exact, so that what a number of JSON cannot hold is a text. */
export function jsonOf(value: DuckDBValue): JsonValue {
  if (value === null || typeof value === "boolean" || typeof value === "string") return value;
  if (typeof value === "number") return Number.isFinite(value) ? value : String(value);
  if (typeof value === "bigint") return jsonOfInteger(value);
  if (value instanceof DuckDBBlobValue) return base64Of(value.bytes);
  if (value instanceof DuckDBListValue || value instanceof DuckDBArrayValue) return value.items.map(jsonOf);
  if (value instanceof DuckDBStructValue)
    return Object.fromEntries(Object.entries(value.entries).map(([name, entry]) => [name, jsonOf(entry)]));
  if (value instanceof DuckDBMapValue)
    return value.entries.map((entry) => ({ key: jsonOf(entry.key), value: jsonOf(entry.value) }));
  if (value instanceof DuckDBUnionValue) return jsonOf(value.value);
  if (timestamps.some((each) => value instanceof each)) return isoOf(String(value));
  return String(value);
}

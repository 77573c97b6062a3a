import type { FieldViolation } from "@aiplatform/service-host";

/** The members of a JSON object. */
export type JsonRecord = Readonly<Record<string, unknown>>;

/** Reads the text of a JSON object; undefined when it is none. The REST reader sends no other, but a gRPC caller sends any. */
export function parseJsonObject(text: string): JsonRecord | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

export function isJsonRecord(value: unknown): value is JsonRecord {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The text at this place is not that of a JSON object. */
export function notAnObject(field: string): FieldViolation {
  return { field, reason: "JSON_OBJECT_EXPECTED", description: "must be the text of a JSON object" };
}

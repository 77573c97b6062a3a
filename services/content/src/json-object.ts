/** The members of a JSON object. */
export type JsonRecord = Readonly<Record<string, unknown>>;

/** Reads the text of a JSON object; undefined when it is none. */
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

/** A number as it was written; a double would lose digits. */
export class NumberText {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** A JSON value whose numbers keep their text. */
export type JsonValue = null | boolean | string | NumberText | JsonValue[] | { [key: string]: JsonValue };

/**
 * @throws SyntaxError
 * @throws RangeError when it is nested too deeply
 */
export function parseJsonText(text: string): JsonValue {
  return JSON.parse(text, (_key, value: unknown, context?: { source?: string }) =>
    typeof value === "number" ? new NumberText(context?.source ?? String(value)) : value,
  );
}

export function isJsonObject(value: JsonValue): value is { [key: string]: JsonValue } {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof NumberText);
}

/** One text for all spellings of a value: keys sorted, no space, numbers as written. */
export function canonicalJson(value: JsonValue): string {
  if (value instanceof NumberText) return value.text;
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  if (!isJsonObject(value)) return JSON.stringify(value);
  const members = Object.keys(value).sort();
  return `{${members.map((key) => `${JSON.stringify(key)}:${canonicalJson(value[key] ?? null)}`).join(",")}}`;
}

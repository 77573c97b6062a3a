import { canonicalJson, isJsonObject, type JsonValue, NumberText, parseJsonText } from "../job-log/json-text.ts";

/** A number as JSON writes it, which is how most languages write theirs. */
const numberPattern = /^-?(?:0|[1-9]\d{0,20})(?:\.\d{1,40})?(?:[eE][+-]?\d{1,3})?$/;

/** Whether a text is stored as the number that it says. */
export function isNumber(text: string): boolean {
  return numberPattern.test(text);
}

/** The values of an object, given as JSON text, as texts by their keys. Keys within keys are joined by dots. */
export function textsOf(object: string): Map<string, string> {
  const texts = new Map<string, string>();
  addTexts(texts, "", parseJsonText(object));
  return texts;
}

function addTexts(texts: Map<string, string>, key: string, value: JsonValue): void {
  if (!isJsonObject(value)) {
    texts.set(key, typeof value === "string" ? value : canonicalJson(value));
    return;
  }
  for (const [name, inner] of Object.entries(value)) addTexts(texts, key === "" ? name : `${key}.${name}`, inner);
}

/** The object with further values, or others in place of them. A text that is a number becomes one, with all its digits. */
export function withTexts(object: string, texts: ReadonlyMap<string, string>): string {
  const value = parseJsonText(object);
  const members = isJsonObject(value) ? Object.entries(value) : [];
  const added = [...texts].map(([key, text]) => [key, isNumber(text) ? new NumberText(text) : text] as const);
  return canonicalJson(Object.fromEntries([...members, ...added]));
}

const maxLength = 200;

/** A value of a cell as a text: objects and lists as JSON, long ones cut. Undefined: there is no value. */
export function cellText(value: unknown): string | undefined {
  if (value === null || value === undefined) return undefined;
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text.length > maxLength ? `${text.slice(0, maxLength)}…` : text;
}

/** Variables of templates that the input of a run gives, such as `input.week`. */
const prefix = "input.";

/** An input with a member for each variable that the templates read of it, for a person to fill in. */
export function inputExample(variables: readonly string[]): Record<string, unknown> {
  const names = variables
    .filter((name) => name.startsWith(prefix))
    .map((name) => name.slice(prefix.length).split(/[.[]/)[0] ?? "")
    .filter((name) => name !== "");
  return Object.fromEntries(names.map((name) => [name, ""]));
}

/** A JSON object; undefined for any other text. Nothing at all is an empty object. */
export function readInput(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text.trim() === "" ? "{}" : text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}

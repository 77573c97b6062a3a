/** Characters of a cell at most, without what says how much was left out. */
const maxLength = 80;

const countOf = (count: number, one: string) => `${count.toLocaleString("en")} ${one}${count === 1 ? "" : "s"}`;

/**
 * A value of a cell as a text: objects and lists as JSON. Of a long one its beginning and how long it is, such as `[0,0,1,… 784 values`.
 * Undefined: there is no value.
 */
export function cellText(value: unknown): string | undefined {
  if (value === null || value === undefined) return undefined;
  const text = typeof value === "string" ? value : JSON.stringify(value);
  if (text.length <= maxLength) return text;
  if (Array.isArray(value)) return `${wholeItems(text)}… ${countOf(value.length, "value")}`;
  const size = typeof value === "string" ? countOf(text.length, "character") : countOf(membersOf(value), "member");
  return `${text.slice(0, maxLength)}… ${size}`;
}

/** The beginning of a list, up to the end of an item where one fits: half a number would be another. */
function wholeItems(text: string): string {
  const cut = text.slice(0, maxLength);
  const end = cut.lastIndexOf(",");
  return end > 0 ? cut.slice(0, end + 1) : cut;
}

const membersOf = (value: unknown) => (typeof value === "object" && value !== null ? Object.keys(value).length : 0);

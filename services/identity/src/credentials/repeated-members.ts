/** Texts with a colon behind them: in JSON, the names of members and nothing else. */
const memberName = /"(?:[^"\\]|\\.)*"(\s*:)?/g;

/**
 * Whether an object of a JSON text has a member twice. JSON.parse keeps the last one; a parser that keeps the first
 * would read another token (RFC 7515, 4).
 * @throws SyntaxError when the text is no JSON.
 */
export function hasRepeatedMembers(text: string): boolean {
  const parsed: unknown = JSON.parse(text);
  const written = [...text.matchAll(memberName)].filter(([, colon]) => colon !== undefined).length;
  return written !== countMembers(parsed);
}

function countMembers(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  const values: unknown[] = Object.values(value);
  const own = Array.isArray(value) ? 0 : values.length;
  return values.reduce((sum: number, member) => sum + countMembers(member), own);
}

import type { Problem } from "./problem-list.ts";

/** A header has little room, ASCII characters. */
const maxHintLength = 2_048;
const begin = "Also wrong: ";
const more = ", and more";

/**
 * What a request breaks besides the problems that it is answered with, as a header can say it: `Also wrong: body.a.0.b (type), …`.
 * Undefined where there is nothing else.
 */
export function hintOfLater(found: readonly Problem[], answered: readonly Problem[]): string | undefined {
  const known = new Set(answered.map(placeOf));
  const later = found.filter((problem) => problem.type !== "too_many_errors" && !known.has(placeOf(problem)));
  if (later.length === 0) return undefined;
  let hint = "";
  for (const { loc, type } of later) {
    const next = `${hint === "" ? begin : ", "}${loc.map(readable).join(".")} (${type})`;
    if (hint.length + next.length + more.length > maxHintLength) return hint + more;
    hint += next;
  }
  return hint;
}

function placeOf({ loc, type }: Problem): string {
  return JSON.stringify([type, ...loc]);
}

/** A key that the caller chose may be anything, also a secret: only what could be a field's name is repeated. */
function readable(part: string | number): string {
  return typeof part === "number" || /^[a-z][a-z0-9_]{0,63}$/.test(part) ? String(part) : "*";
}

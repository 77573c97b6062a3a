import { Fault } from "./fault.ts";

const canonical = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const hyphenPlaces = [8, 13, 18, 23];
const groupStarts = [0, 9, 14, 19];

/** Reads a uuid in any spelling that pydantic takes; answers it lower-case and hyphenated. */
export function readUuid(text: string): string | Fault {
  if (canonical.test(text)) return text;
  const stripped = strip(text);
  const { inner, offset, whole } = stripped;
  const stranger = /[^0-9a-fA-F-]/u.exec(inner);
  if (stranger !== null) {
    const at = Buffer.byteLength(inner.slice(0, stranger.index)) + offset + 1;
    const expected = "expected an optional prefix of `urn:uuid:` followed by [0-9a-fA-F-]";
    return uuidFault(`invalid character: ${expected}, found \`${stranger[0]}\` at ${at}`);
  }
  const groups = inner.split("-");
  if (groups.length === 1 && whole) {
    if (inner.length === 32) return hyphenate(inner.toLowerCase());
    return uuidFault(`invalid length: expected length 32 for simple format, found ${inner.length}`);
  }
  if (groups.length !== 5) return uuidFault(`invalid group count: expected 5, found ${groups.length}`);
  const misplaced = misplacedHyphen(inner);
  if (misplaced !== undefined) return misplaced;
  if (inner.length !== 36 || !whole)
    return groupFault(4, 12, inner.length - 24 + (whole ? 0 : text.length - inner.length));
  return inner.toLowerCase();
}

/** Takes off braces or the prefix. `whole`: what is left may be a uuid; `offset`: how much a position moves. */
function strip(text: string): { inner: string; offset: number; whole: boolean } {
  const length = Buffer.byteLength(text);
  const isBraced = text.startsWith("{") && text.endsWith("}") && text.length > 1;
  const isPrefixed = text.startsWith("urn:uuid:");
  if (isBraced) return { inner: text.slice(1, -1), offset: length === 38 ? 0 : 1, whole: length === 38 };
  if (isPrefixed) return { inner: text.slice(9), offset: length === 45 ? 0 : 9, whole: length === 45 };
  return { inner: text, offset: 0, whole: true };
}

function misplacedHyphen(inner: string): Fault | undefined {
  let at = -1;
  for (const [group, place] of hyphenPlaces.entries()) {
    at = inner.indexOf("-", at + 1);
    if (at !== place) return groupFault(group, group === 0 ? 8 : 4, at - (groupStarts[group] ?? 0));
  }
  return undefined;
}

function groupFault(group: number, expected: number, found: number): Fault {
  return uuidFault(`invalid group length in group ${group}: expected ${expected}, found ${found}`);
}

function uuidFault(error: string): Fault {
  return new Fault("uuid_parsing", `Input should be a valid UUID, ${error}`, JSON.stringify({ error }));
}

function hyphenate(digits: string): string {
  return [
    [0, 8],
    [8, 12],
    [12, 16],
    [16, 20],
    [20, 32],
  ]
    .map(([from, to]) => digits.slice(from, to))
    .join("-");
}

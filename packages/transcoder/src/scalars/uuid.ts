import { Fault } from "../errors/fault.ts";

const canonical = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const simple = /^[0-9a-fA-F]{32}$/;
const wrapped = /^(?:\{(.*)\}|urn:uuid:(.*))$/su;
const hyphen = 0x2d;
const hyphenPlaces = [8, 13, 18, 23];
const groupStarts = [0, 9, 14, 19];

/** Reads a uuid in any spelling that pydantic takes; answers it lower-case and hyphenated. */
export function readUuid(text: string): string | Fault {
  if (canonical.test(text)) return text;
  const [, braced, prefixed] = wrapped.exec(text) ?? [];
  const stripped = braced ?? prefixed;
  // Of any other length it is no wrapped uuid, and is explained together with its wrapping.
  const inner = stripped !== undefined && Buffer.byteLength(stripped) === 36 ? stripped : text;
  const plain = inner.toLowerCase();
  if (canonical.test(plain)) return plain;
  return simple.test(text) ? hyphenate(text.toLowerCase()) : explain(inner);
}

/** Why a text is no uuid. Braces or a prefix that stand where no uuid is inside count as such all the same. */
function explain(text: string): Fault {
  const [, braced, prefixed] = wrapped.exec(text) ?? [];
  const inner = braced ?? prefixed ?? text;
  const offset = inner === text ? 0 : braced === undefined ? "urn:uuid:".length : "{".length;
  const stranger = /[^0-9a-fA-F-]/u.exec(inner);
  if (stranger !== null) {
    const at = Buffer.byteLength(inner.slice(0, stranger.index)) + offset + 1;
    const expected = "expected an optional prefix of `urn:uuid:` followed by [0-9a-fA-F-]";
    return uuidFault(`invalid character: ${expected}, found \`${stranger[0]}\` at ${at}`);
  }
  const groups = groupsIn(inner);
  if (groups === 1 && inner === text) {
    return uuidFault(`invalid length: expected length 32 for simple format, found ${text.length}`);
  }
  if (groups !== 5) return uuidFault(`invalid group count: expected 5, found ${groups}`);
  return misplacedHyphen(inner) ?? groupFault(4, 12, text.length - 24);
}

/** Counted in place: a list of the groups of a megabyte of hyphens would be a million texts. */
function groupsIn(text: string): number {
  let groups = 1;
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) === hyphen) groups++;
  return groups;
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

/** What is wrong with a text, in the words of CPython 3.11's `json` module. */
export type JsonFault =
  | "Expecting value"
  | "Expecting property name enclosed in double quotes"
  | "Expecting ':' delimiter"
  | "Expecting ',' delimiter"
  | "Unterminated string starting at"
  | "Invalid control character at"
  | "Invalid \\escape"
  | "Invalid \\uXXXX escape"
  | "Extra data";

/** The text is not JSON. */
export class JsonSyntaxError extends Error {
  override name = "JsonSyntaxError";
  readonly fault: JsonFault;
  /** Where, in code points from the start of the text. */
  readonly position: number;
  constructor(fault: JsonFault, text: string, index: number) {
    super(`${fault} (char ${index})`);
    this.fault = fault;
    this.position = codePoints(text, index);
  }
}

/** The text may be JSON, but holds more than a reader should be made to carry. */
export class JsonLimitError extends Error {
  override name = "JsonLimitError";
  readonly limit: "depth" | "digits";
  constructor(limit: "depth" | "digits") {
    super(limit === "depth" ? "JSON is nested too deeply" : "JSON holds a number of too many digits");
    this.limit = limit;
  }
}

// CPython refuses to convert longer integers (sys.int_info.default_max_str_digits).
const maxDigits = 4300;

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const colon = 0x3a;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const minus = 0x2d;
const letterU = 0x75;
const words = ["null", "true", "false"] as const;

/** Ends of the long arrays and objects of a text by where they start, so that nothing looks for them again. */
export type ContainerEnds = ReadonlyMap<number, number>;

/** Shorter ones are passed over as quickly as they are looked up. */
const minLength = 256;
/** Deeper ones stand in free-form values, which are passed on whole. */
const maxNotedDepth = 8;

interface Scan {
  readonly text: string;
  /** Starts of the open containers: as they are for arrays, negative and shifted by one for objects. */
  readonly open: number[];
  /** None in most texts. */
  ends: Map<number, number> | undefined;
}

/** Of a text that holds no long ones, or was not scanned for them. */
export const noEnds: ContainerEnds = new Map();

/**
 * Checks that a text is one JSON value, and answers where its long containers end.
 * `maxDepth` counts nested arrays and objects. Throws {@link JsonSyntaxError} or {@link JsonLimitError}.
 */
export function scanJson(text: string, maxDepth = 256): ContainerEnds {
  const scan: Scan = { text, open: [], ends: undefined };
  const { open } = scan;
  let index = skipSpace(text, 0);
  for (;;) {
    const opener = text.charCodeAt(index);
    if (opener === openBrace || opener === openBracket) {
      if (open.length === maxDepth) throw new JsonLimitError("depth");
      const isObject = opener === openBrace;
      const start = index;
      index = skipSpace(text, index + 1);
      if (text.charCodeAt(index) !== (isObject ? closeBrace : closeBracket)) {
        open.push(isObject ? -start - 1 : start);
        if (isObject) index = scanKey(text, index);
        continue;
      }
      index++;
    } else {
      index = scanScalar(text, index, opener);
    }
    index = closeContainers(scan, skipSpace(text, index));
    if (open.length === 0) break;
  }
  if (index !== text.length) throw new JsonSyntaxError("Extra data", text, index);
  return scan.ends ?? noEnds;
}

/** After a value: closes what ends here and moves to the next value, if any container is still open. */
function closeContainers(scan: Scan, from: number): number {
  const { text, open } = scan;
  let index = from;
  for (let last = open.at(-1); last !== undefined; last = open.at(-1)) {
    const isObject = last < 0;
    const code = text.charCodeAt(index);
    if (code === comma) {
      index = skipSpace(text, index + 1);
      return isObject ? scanKey(text, index) : index;
    }
    if (code !== (isObject ? closeBrace : closeBracket)) {
      throw new JsonSyntaxError("Expecting ',' delimiter", text, index);
    }
    open.pop();
    const start = isObject ? -last - 1 : last;
    if (index - start >= minLength && open.length < maxNotedDepth) {
      scan.ends ??= new Map();
      scan.ends.set(start, index + 1);
    }
    index = skipSpace(text, index + 1);
  }
  return index;
}

function scanKey(text: string, start: number): number {
  if (text.charCodeAt(start) !== quote) {
    throw new JsonSyntaxError("Expecting property name enclosed in double quotes", text, start);
  }
  const index = skipSpace(text, scanString(text, start));
  if (text.charCodeAt(index) !== colon) throw new JsonSyntaxError("Expecting ':' delimiter", text, index);
  return skipSpace(text, index + 1);
}

function scanScalar(text: string, index: number, code: number): number {
  if (code === quote) return scanString(text, index);
  if (isDigit(code)) return scanNumber(text, index);
  for (const word of words) if (text.startsWith(word, index)) return index + word.length;
  return scanNumber(text, index);
}

function scanString(text: string, begin: number): number {
  let index = begin + 1;
  for (;;) {
    const code = text.charCodeAt(index);
    if (code === quote) return index + 1;
    if (code === backslash) index = scanEscape(text, begin, index);
    else if (code >= 0x20) index = skipPlain(text, index + 1);
    else if (index < text.length) throw new JsonSyntaxError("Invalid control character at", text, index);
    else throw new JsonSyntaxError("Unterminated string starting at", text, begin);
  }
}

/** 1 at the codes of the characters that stand after a backslash alone. */
const shortEscapes = new Uint8Array(128);
for (const letter of '"\\/bfnrt') shortEscapes[letter.charCodeAt(0)] = 1;

function scanEscape(text: string, begin: number, index: number): number {
  if (index + 1 >= text.length) throw new JsonSyntaxError("Unterminated string starting at", text, begin);
  const code = text.charCodeAt(index + 1);
  if (shortEscapes[code] === 1) return index + 2;
  if (code !== letterU) throw new JsonSyntaxError("Invalid \\escape", text, index);
  const unit = scanUnit(text, index);
  // A half of a pair without the other cannot be UTF-8, so it could not be passed on.
  if (unit >= 0xdc00 && unit <= 0xdfff) throw new JsonSyntaxError("Invalid \\uXXXX escape", text, index + 1);
  if (unit < 0xd800 || unit > 0xdbff) return index + 6;
  const next = index + 6;
  const hasSecond = text.charCodeAt(next) === backslash && text.charCodeAt(next + 1) === letterU;
  const second = hasSecond ? scanUnit(text, next) : 0;
  if (second < 0xdc00 || second > 0xdfff) throw new JsonSyntaxError("Invalid \\uXXXX escape", text, index + 1);
  return next + 6;
}

/** Reads `\uXXXX`; like CPython it wants at least one character after it. */
function scanUnit(text: string, index: number): number {
  let unit = index + 6 < text.length ? 0 : -1;
  for (let at = index + 2; at < index + 6 && unit >= 0; at++) {
    const digit = hexDigit(text.charCodeAt(at));
    unit = digit < 0 ? -1 : unit * 16 + digit;
  }
  if (unit < 0) throw new JsonSyntaxError("Invalid \\uXXXX escape", text, index + 1);
  return unit;
}

/** -1 where it is none. */
function hexDigit(code: number): number {
  if (isDigit(code)) return code - 0x30;
  const lower = code | 0x20;
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : -1;
}

function scanNumber(text: string, start: number): number {
  let index = text.charCodeAt(start) === minus ? start + 1 : start;
  const first = text.charCodeAt(index);
  if (!isDigit(first)) throw new JsonSyntaxError("Expecting value", text, start);
  index = first === 0x30 ? index + 1 : skipDigits(text, index);
  const wholeEnd = index;
  if (text.charCodeAt(index) === 0x2e && isDigit(text.charCodeAt(index + 1))) index = skipDigits(text, index + 1);
  index = skipExponent(text, index);
  if (index === wholeEnd) {
    if (index - start > maxDigits && text.slice(start, index).replace("-", "").length > maxDigits) {
      throw new JsonLimitError("digits");
    }
  } else if (!Number.isFinite(Number(text.slice(start, index)))) {
    throw new JsonSyntaxError("Expecting value", text, start);
  }
  return index;
}

function skipExponent(text: string, index: number): number {
  const code = text.charCodeAt(index);
  if (code !== 0x65 && code !== 0x45) return index;
  const sign = text.charCodeAt(index + 1);
  const digits = sign === 0x2b || sign === minus ? index + 2 : index + 1;
  return isDigit(text.charCodeAt(digits)) ? skipDigits(text, digits) : index;
}

function skipDigits(text: string, start: number): number {
  let index = start;
  while (isDigit(text.charCodeAt(index))) index++;
  return index;
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

/** What a string of JSON may hold as it is: all but quotes, backslashes and control characters. */
const plainRun = /[ !#-[\]-\uffff]*/y;
/** A pattern pays in runs that are longer than this. */
const shortRun = 32;

/** Index of the first character at or after `start` that a string of JSON does not hold as it is. */
export function skipPlain(text: string, start: number): number {
  const far = start + shortRun;
  let index = start;
  while (index < far) {
    const code = text.charCodeAt(index);
    if (!(code >= 0x20) || code === quote || code === backslash) return index;
    index++;
  }
  plainRun.lastIndex = index;
  plainRun.test(text);
  return plainRun.lastIndex;
}

/** Index of the first character at or after `start` that is not JSON white space. */
export function skipSpace(text: string, start: number): number {
  let index = start;
  for (;;) {
    const code = text.charCodeAt(index);
    if (code > 0x20 || (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09)) return index;
    index++;
  }
}

/** Number of code points before an index of UTF-16 units in a text without halves of pairs. */
function codePoints(text: string, index: number): number {
  let count = index;
  for (let at = 0; at < index; at++) if (isSecondHalf(text.charCodeAt(at))) count--;
  return count;
}

function isSecondHalf(code: number): boolean {
  return code >= 0xdc00 && code <= 0xdfff;
}

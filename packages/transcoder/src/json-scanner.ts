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

/**
 * Checks that a text is one JSON value, without building anything.
 * `maxDepth` counts nested arrays and objects. Throws {@link JsonSyntaxError} or {@link JsonLimitError}.
 */
export function scanJson(text: string, maxDepth = 256): void {
  // One entry per open container: whether it is an object.
  const open: boolean[] = [];
  let index = skipSpace(text, 0);
  for (;;) {
    const opener = text.charCodeAt(index);
    if (opener === openBrace || opener === openBracket) {
      if (open.length === maxDepth) throw new JsonLimitError("depth");
      const isObject = opener === openBrace;
      index = skipSpace(text, index + 1);
      if (text.charCodeAt(index) !== (isObject ? closeBrace : closeBracket)) {
        open.push(isObject);
        if (isObject) index = scanKey(text, index);
        continue;
      }
      index++;
    } else {
      index = scanScalar(text, index, opener);
    }
    index = closeContainers(text, skipSpace(text, index), open);
    if (open.length === 0) break;
  }
  if (index !== text.length) throw new JsonSyntaxError("Extra data", text, index);
}

/** After a value: closes what ends here and moves to the next value, if any container is still open. */
function closeContainers(text: string, start: number, open: boolean[]): number {
  let index = start;
  while (open.length > 0) {
    const isObject = open[open.length - 1] === true;
    const code = text.charCodeAt(index);
    if (code === comma) {
      index = skipSpace(text, index + 1);
      return isObject ? scanKey(text, index) : index;
    }
    if (code !== (isObject ? closeBrace : closeBracket)) {
      throw new JsonSyntaxError("Expecting ',' delimiter", text, index);
    }
    open.pop();
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
  for (const word of ["null", "true", "false"]) {
    if (code === word.charCodeAt(0) && text.startsWith(word, index)) return index + word.length;
  }
  return scanNumber(text, index);
}

function scanString(text: string, begin: number): number {
  let index = begin + 1;
  for (;;) {
    const code = text.charCodeAt(index);
    if (code === quote) return index + 1;
    if (code === backslash) index = scanEscape(text, begin, index);
    else if (code >= 0x20) index++;
    else if (index < text.length) throw new JsonSyntaxError("Invalid control character at", text, index);
    else throw new JsonSyntaxError("Unterminated string starting at", text, begin);
  }
}

function scanEscape(text: string, begin: number, index: number): number {
  if (index + 1 >= text.length) throw new JsonSyntaxError("Unterminated string starting at", text, begin);
  if (text.charCodeAt(index + 1) !== letterU) {
    if (!'"\\/bfnrt'.includes(text.charAt(index + 1))) throw new JsonSyntaxError("Invalid \\escape", text, index);
    return index + 2;
  }
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
  const digits = text.slice(index + 2, index + 6);
  if (index + 6 >= text.length || !/^[0-9a-fA-F]{4}$/.test(digits)) {
    throw new JsonSyntaxError("Invalid \\uXXXX escape", text, index + 1);
  }
  return Number.parseInt(digits, 16);
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

/** Index of the first character at or after `start` that is not JSON white space. */
export function skipSpace(text: string, start: number): number {
  let index = start;
  for (;;) {
    const code = text.charCodeAt(index);
    if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return index;
    index++;
  }
}

/** Number of code points before an index of UTF-16 units. */
function codePoints(text: string, index: number): number {
  let count = 0;
  for (let at = 0; at < index; count++) at += (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
  return count;
}

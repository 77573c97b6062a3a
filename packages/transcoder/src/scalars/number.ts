import { type Fault, faults } from "../errors/fault.ts";

// CPython refuses to convert longer texts.
const maxDigits = 4300;
// A sign after zeros counts: so it does in the reference.
const negativeAfterZeros = /^\+?0[0_]*-_?(?=0(?:\.|$)|[1-9])/;
const integerPattern = /^([+-]?)(\d[\d_]*)(?:\.0+)?$/;
const floatPattern = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/;
const specialPattern = /^([+-]?)(?:(inf|infinity)|nan)$/i;
/** Unicode's White_Space beyond ASCII and the spaces of U+2000 to U+200A. */
const rareWhiteSpace = new Set([0x85, 0xa0, 0x1680, 0x2028, 0x2029, 0x202f, 0x205f, 0x3000]);
const truths = new Map<string, boolean>([
  ...["1", "true", "t", "yes", "y", "on"].map((word): [string, boolean] => [word, true]),
  ...["0", "false", "f", "no", "n", "off"].map((word): [string, boolean] => [word, false]),
]);

/** Reads an integer of any size from a text; small ones as a number, others as a bigint. */
export function readIntegerText(text: string): number | bigint | Fault {
  // Only a text that begins with its digits is said to be too long, whatever comes after them.
  const [run = ""] = /^-?[1-9]\d*/.exec(text) ?? [];
  if (run.length > maxDigits) return faults.integerSize;
  const [, sign, digits = "_"] = integerPattern.exec(trim(text).replace(negativeAfterZeros, "-")) ?? [];
  const isNegative = sign === "-";
  // Among leading zeros underscores mean nothing, elsewhere they stand singly between digits.
  const significant = digits.replace(/^0[0_]*(?=.)/, "");
  if (digits.endsWith("_") || significant.includes("__")) return faults.integerText;
  const plain = significant.replaceAll("_", "");
  if (plain.length + (isNegative ? 1 : 0) > maxDigits) return faults.integerText;
  return integerOf(isNegative, plain);
}

/** Without outer white space. Two loops: a pattern such as `\s+$` is quadratic in runs of blanks. */
function trim(text: string): string {
  let end = text.length;
  while (end > 0 && isWhiteSpace(text.charCodeAt(end - 1))) end--;
  let start = 0;
  while (start < end && isWhiteSpace(text.charCodeAt(start))) start++;
  return start === 0 && end === text.length ? text : text.slice(start, end);
}

/** Unicode's White_Space. JavaScript's own `trim` removes U+FEFF, which is not white space, and keeps U+0085, which is. */
function isWhiteSpace(code: number): boolean {
  if (code < 0x80) return code === 0x20 || (code >= 0x09 && code <= 0x0d);
  return (code >= 0x2000 && code <= 0x200a) || rareWhiteSpace.has(code);
}

/** Reads the digits of an integer. */
export function integerOf(negative: boolean, digits: string): number | bigint {
  if (digits.length > 15) return negative ? -BigInt(digits) : BigInt(digits);
  const value = Number(digits);
  // -0 is no integer of its own.
  return negative && value !== 0 ? -value : value;
}

/** Reads a floating-point number from a text, as Python's `float` does. */
export function readFloatText(text: string): number | Fault {
  if (!text.includes("_")) return plainFloat(trim(text));
  const isMisplaced = text.startsWith("_") || text.endsWith("_") || text.includes("__");
  return isMisplaced ? faults.numberText : plainFloat(text.replaceAll("_", ""));
}

function plainFloat(text: string): number | Fault {
  const special = specialPattern.exec(text);
  if (special === null) return floatPattern.test(text) ? Number(text) : faults.numberText;
  if (special[2] === undefined) return Number.NaN;
  return special[1] === "-" ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
}

/** Reads a truth value from a text: true/false, 1/0, yes/no, on/off, t/f, y/n in any case. */
export function readBooleanText(text: string): boolean | Fault {
  return truths.get(text.toLowerCase()) ?? faults.booleanText;
}

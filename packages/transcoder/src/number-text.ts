import { type Fault, faults } from "./fault.ts";

// CPython refuses to convert longer texts.
const maxDigits = 4300;
const integerPattern = /^([+-]?)(\d+(?:_\d+)*)(?:\.0+)?$/;
const floatPattern = /^[+-]?(?:\d+(?:_\d+)*\.?(?:\d+(?:_\d+)*)?|\.\d+(?:_\d+)*)(?:[eE][+-]?\d+)?$/;
const specialPattern = /^([+-]?)(?:(inf|infinity)|nan)$/i;
const truths = new Map<string, boolean>([
  ...["1", "true", "t", "yes", "y", "on"].map((word): [string, boolean] => [word, true]),
  ...["0", "false", "f", "no", "n", "off"].map((word): [string, boolean] => [word, false]),
]);

/** Reads an integer of any size from a text; small ones as a number, others as a bigint. */
export function readIntegerText(text: string): number | bigint | Fault {
  const match = integerPattern.exec(text.trim());
  if (match === null) return faults.integerText;
  const digits = (match[2] ?? "").replaceAll("_", "");
  if (digits.length > maxDigits) return faults.integerSize;
  return integerOf(match[1] === "-", digits);
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
  const trimmed = text.trim();
  const special = specialPattern.exec(trimmed);
  if (special !== null) {
    if (special[2] === undefined) return Number.NaN;
    return special[1] === "-" ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  }
  return floatPattern.test(trimmed) ? Number(trimmed.replaceAll("_", "")) : faults.numberText;
}

/** Reads a truth value from a text: true/false, 1/0, yes/no, on/off, t/f, y/n in any case. */
export function readBooleanText(text: string): boolean | Fault {
  return truths.get(text.toLowerCase()) ?? faults.booleanText;
}

/** A decimal number as written: 0.d1d2d3… × 10^magnitude. No digit is lost, whatever a double could hold. */
interface Decimal {
  sign: -1 | 0 | 1;
  /** Without leading or trailing zeros; empty for zero. */
  digits: string;
  magnitude: number;
}

function decimalOf(text: string): Decimal {
  const [, minus = "", whole = "", fraction = "", exponent = "0"] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text) ?? [];
  const all = whole + fraction;
  let leading = 0;
  while (all[leading] === "0") leading++;
  // A loop: the pattern `0+$` is quadratic in runs of zeros.
  let end = all.length;
  while (end > leading && all[end - 1] === "0") end--;
  const digits = all.slice(leading, end);
  if (digits === "") return { sign: 0, digits, magnitude: 0 };
  return { sign: minus ? -1 : 1, digits, magnitude: whole.length - leading + Number(exponent) };
}

/** Compares two numbers in JSON's notation exactly: negative, zero or positive like `left - right`. */
export function compareNumberTexts(left: string, right: string): number {
  const a = decimalOf(left);
  const b = decimalOf(right);
  if (a.sign !== b.sign) return a.sign - b.sign;
  if (a.sign === 0) return 0;
  const larger = a.magnitude === b.magnitude ? compareDigits(a.digits, b.digits) : a.magnitude - b.magnitude;
  return larger * a.sign;
}

/** Whether a number in JSON's notation has no fraction; `1.0` and `10e-1` have none. */
export function isIntegerText(text: string): boolean {
  const { digits, magnitude } = decimalOf(text);
  return digits.length <= magnitude || digits === "";
}

/** Digits after the point compare like text: none has trailing zeros. */
function compareDigits(left: string, right: string): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}

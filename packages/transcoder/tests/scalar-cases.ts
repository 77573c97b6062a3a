import type { FieldRules, StringRules } from "@aiplatform/contract/buf/validate/validate";
import type { ScalarType } from "@bufbuild/protobuf";
import fc from "fast-check";
import { integerRanges } from "../src/scalar-codecs.ts";

/** Good values, and values that are refused for one thing; undefined where nothing can be wrong. */
export interface Cases {
  readonly good: fc.Arbitrary<unknown>;
  readonly bad: fc.Arbitrary<unknown> | undefined;
}

/** Rules of a value. */
export type Rules = FieldRules["type"];

const characters = fc.string({ unit: "grapheme", maxLength: 12 });
const strange = fc.constantFrom("__proto__", " ", "\u0000", "😀😀", "e\u0301", '"\\', "\u2028", "0", "null");
const noText: readonly unknown[] = [1, true, {}, []];

/** Texts of a length, a pattern or a closed set. */
export function stringCases(rules: Rules): Cases {
  if (rules.case !== "string") return { good: fc.oneof(characters, strange), bad: fc.constantFrom(...noText) };
  const { value } = rules;
  if (value.wellKnown.case === "uuid" && value.wellKnown.value) {
    return { good: fc.uuid(), bad: fc.constantFrom(...noText, "x", "", "3fa85f64-5717-4562-b3fc-2c963f66afa") };
  }
  // Left to the service: of what it would refuse the reader takes everything.
  if (value.wellKnown.case === "email") return { good: fc.emailAddress(), bad: fc.constantFrom(...noText) };
  const closed = Object.hasOwn(value, "const") ? [value.const] : value.in;
  if (closed.length > 0) return { good: fc.constantFrom(...closed), bad: fc.constantFrom(...noText, `${closed[0]}?`) };
  const { least, most } = lengthsOf(value);
  const fits = (text: string) => [...text].length >= least && [...text].length <= most && !value.notIn.includes(text);
  const pattern = Object.hasOwn(value, "pattern") ? new RegExp(value.pattern, "u") : undefined;
  const part = { prefix: value.prefix, suffix: value.suffix, contains: value.contains };
  const plain = fc.oneof(characters, strange, ...edges(least, most).map((text) => fc.constant(text)));
  const whole =
    pattern === undefined
      ? plain.map((text) => part.prefix + part.contains + text + part.suffix)
      : fc.stringMatching(pattern);
  const good = whole.filter((text) => fits(text) && !(value.notContains !== "" && text.includes(value.notContains)));
  const bads = [
    ...(least > 0 ? ["x".repeat(least - 1)] : []),
    ...(most < 5000 ? ["😀".repeat(most + 1)] : []),
    ...(pattern === undefined ? [] : ["\u{10ffff}!"]),
    ...(part.prefix + part.suffix + part.contains === "" ? [] : ["?"]),
    ...(value.notContains === "" ? [] : [`${part.contains}${value.notContains}`]),
    ...value.notIn,
  ];
  return { good, bad: fc.constantFrom(...noText, ...bads) };
}

function edges(least: number, most: number): string[] {
  return ["x".repeat(least), "😀".repeat(Math.min(most, 300))];
}

function lengthsOf(rules: StringRules): { least: number; most: number } {
  const exact = Object.hasOwn(rules, "len") ? Number(rules.len) : undefined;
  const most = Object.hasOwn(rules, "maxLen") ? Number(rules.maxLen) : 10_000;
  return { least: exact ?? (Object.hasOwn(rules, "minLen") ? Number(rules.minLen) : 0), most: exact ?? most };
}

/** Integers of a type and its bounds, up to 2⁵³ so that every reader of JSON has them alike. */
export function integerCases(scalar: ScalarType, rules: Rules): Cases {
  const range = integerRanges.get(scalar) ?? { least: 0n, most: 0n };
  const bounds = boundsOf(rules);
  const exact = 2n ** 53n;
  const least = max(range.least, -exact, bounds.gte, bounds.gt === undefined ? undefined : bounds.gt + 1n);
  const most = -max(-range.most, -exact, negative(bounds.lte), bounds.lt === undefined ? undefined : -(bounds.lt - 1n));
  const outside = [
    ...(least > range.least && least > -exact ? [Number(least - 1n)] : []),
    ...(range.least === 0n ? [-1] : []),
    ...(bounds.lte === undefined && bounds.lt === undefined ? [] : [Number(most + 1n)]),
  ];
  const { in: closed = [], notIn = [] } = (rules.value ?? {}) as {
    in?: (number | bigint)[];
    notIn?: (number | bigint)[];
  };
  const whole = fc.oneof(fc.bigInt({ min: least, max: most }), fc.constantFrom(least, most)).map(Number);
  const refused = notIn.map(Number);
  return {
    good:
      closed.length > 0 ? fc.constantFrom(...closed.map(Number)) : whole.filter((value) => !refused.includes(value)),
    bad: fc.constantFrom<unknown>("x", "", {}, [], 1.5, ...outside, ...refused, ...(closed.length > 0 ? [4] : [])),
  };
}

/** Numbers of a type and its bounds. */
export function floatCases(isSingle: boolean, rules: Rules): Cases {
  const { gte, gt, lte, lt } = boundsOf(rules);
  const min = gte ?? gt;
  const max = lte ?? lt;
  const limits = {
    ...(min === undefined ? {} : { min: Number(min) }),
    ...(max === undefined ? {} : { max: Number(max) }),
  };
  const good = isSingle
    ? fc.float({ ...limits, noNaN: true, noDefaultInfinity: true })
    : fc.double({ ...limits, noNaN: true, noDefaultInfinity: true });
  const outside = [
    ...(min === undefined ? [] : [Number(min) - 0.5]),
    ...(max === undefined ? [] : [Number(max) + 0.5]),
  ];
  return { good, bad: fc.constantFrom<unknown>("x", "", {}, [], ...outside) };
}

interface Bounds {
  gte?: bigint;
  gt?: bigint;
  lte?: bigint;
  lt?: bigint;
}

function boundsOf(rules: Rules): Bounds {
  const bounds: Bounds = {};
  const { greaterThan, lessThan } = (rules.value ?? {}) as Partial<
    Record<string, { case?: keyof Bounds; value?: number | bigint }>
  >;
  for (const side of [greaterThan, lessThan]) {
    if (side?.case !== undefined && side.value !== undefined) bounds[side.case] = BigInt(side.value);
  }
  return bounds;
}

function negative(value: bigint | undefined): bigint | undefined {
  return value === undefined ? undefined : -value;
}

function max(...values: (bigint | undefined)[]): bigint {
  return values.filter((value) => value !== undefined).reduce((a, b) => (a > b ? a : b));
}

import type { FieldRules, StringRules } from "@aiplatform/contract/buf/validate/validate";
import type { ScalarType } from "@bufbuild/protobuf";
import fc from "fast-check";
import { integerRanges } from "../src/scalars/codecs.ts";

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
  const { min, max } = lengthsOf(value);
  const fits = (text: string) => [...text].length >= min && [...text].length <= max && !value.notIn.includes(text);
  const pattern = Object.hasOwn(value, "pattern") ? new RegExp(value.pattern, "u") : undefined;
  const part = { prefix: value.prefix, suffix: value.suffix, contains: value.contains };
  const plain = fc.oneof(characters, strange, ...edges(min, max).map((text) => fc.constant(text)));
  const whole =
    pattern === undefined
      ? plain.map((text) => part.prefix + part.contains + text + part.suffix)
      : fc.stringMatching(pattern);
  const good = whole.filter((text) => fits(text) && !(value.notContains !== "" && text.includes(value.notContains)));
  const bads = [
    ...(min > 0 ? ["x".repeat(min - 1)] : []),
    ...(max < 5000 ? ["😀".repeat(max + 1)] : []),
    ...(pattern === undefined ? [] : ["\u{10ffff}!"]),
    ...(part.prefix + part.suffix + part.contains === "" ? [] : ["?"]),
    ...(value.notContains === "" ? [] : [`${part.contains}${value.notContains}`]),
    ...value.notIn,
  ];
  return { good, bad: fc.constantFrom(...noText, ...bads) };
}

function edges(min: number, max: number): string[] {
  return ["x".repeat(min), "😀".repeat(Math.min(max, 300))];
}

function lengthsOf(rules: StringRules): { min: number; max: number } {
  const exact = Object.hasOwn(rules, "len") ? Number(rules.len) : undefined;
  const max = Object.hasOwn(rules, "maxLen") ? Number(rules.maxLen) : 10_000;
  return { min: exact ?? (Object.hasOwn(rules, "minLen") ? Number(rules.minLen) : 0), max: exact ?? max };
}

/** Integers of a type and its bounds, up to 2⁵³ so that every reader of JSON has them alike. */
export function integerCases(scalar: ScalarType, rules: Rules): Cases {
  const range = integerRanges.get(scalar) ?? { min: 0n, max: 0n };
  const bounds = boundsOf(rules);
  const exact = 2n ** 53n;
  const min = greatest(range.min, -exact, bounds.gte, bounds.gt === undefined ? undefined : bounds.gt + 1n);
  const max = -greatest(
    -range.max,
    -exact,
    negative(bounds.lte),
    bounds.lt === undefined ? undefined : -(bounds.lt - 1n),
  );
  const outside = [
    ...(min > range.min && min > -exact ? [Number(min - 1n)] : []),
    ...(range.min === 0n ? [-1] : []),
    ...(bounds.lte === undefined && bounds.lt === undefined ? [] : [Number(max + 1n)]),
  ];
  const { in: closed = [], notIn = [] } = (rules.value ?? {}) as {
    in?: (number | bigint)[];
    notIn?: (number | bigint)[];
  };
  const whole = fc.oneof(fc.bigInt({ min, max }), fc.constantFrom(min, max)).map(Number);
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

function greatest(...values: (bigint | undefined)[]): bigint {
  return values.filter((value) => value !== undefined).reduce((a, b) => (a > b ? a : b));
}

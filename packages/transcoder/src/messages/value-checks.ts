import type { BytesRules, EnumRules, FieldRules, StringRules } from "@aiplatform/contract/buf/validate/validate";
import { choiceFault, Fault, valueFault } from "../errors/fault.ts";

/** Says what is wrong with a value of the right type. */
export type Check<T> = (value: T) => Fault | undefined;

type RuleType = FieldRules["type"];
type NumberCase = "float" | "double" | IntegerCase;
type IntegerCase =
  | "int32"
  | "int64"
  | "uint32"
  | "uint64"
  | "sint32"
  | "sint64"
  | "fixed32"
  | "fixed64"
  | "sfixed32"
  | "sfixed64";
/** Rules of a number of any type. */
export type NumberRules = Extract<RuleType, { case: NumberCase }>["value"];

/** A proto2 field is set only when the object itself holds it: its default lies on the prototype. */
function own<T extends object, K extends keyof T>(rules: T, key: K): T[K] | undefined {
  return Object.hasOwn(rules, key) ? rules[key] : undefined;
}

/** Number as a bound is printed in particulars: a float keeps its point. */
function printed(bound: number | bigint, isFloat: boolean): string {
  return isFloat && Number.isInteger(bound) ? `${bound}.0` : `${bound}`;
}

/** Bounds and closed sets of a number. */
export function numberChecks(rules: NumberRules | undefined, isFloat: boolean): Check<number | bigint>[] {
  if (rules === undefined) return [];
  const checks: Check<number | bigint>[] = [];
  if ("finite" in rules && rules.finite) {
    const fault = new Fault("finite_number", "Input should be a finite number");
    checks.push((value) => (Number.isFinite(Number(value)) ? undefined : fault));
  }
  const constant = own(rules, "const");
  const allowed = constant === undefined ? [...rules.in] : [constant];
  if (allowed.length > 0) checks.push(oneOf(new Set<number | bigint>(allowed.map(Number)), allowed.map(String)));
  if (rules.notIn.length > 0) checks.push(noneOf(new Set([...rules.notIn].map(Number)), [...rules.notIn].map(String)));
  return [...checks, ...boundChecks(rules, isFloat)];
}

function boundChecks(rules: NumberRules, isFloat: boolean): Check<number | bigint>[] {
  const { lessThan, greaterThan } = rules;
  const [min, max] = [greaterThan.value, lessThan.value];
  // The two swapped mean "outside of": left to the service, which reads the same rule.
  if (min !== undefined && max !== undefined && min > max) return [];
  const checks: Check<number | bigint>[] = [];
  if (lessThan.case === "lte") checks.push(bound("le", lessThan.value, isFloat));
  if (lessThan.case === "lt") checks.push(bound("lt", lessThan.value, isFloat));
  if (greaterThan.case === "gte") checks.push(bound("ge", greaterThan.value, isFloat));
  if (greaterThan.case === "gt") checks.push(bound("gt", greaterThan.value, isFloat));
  return checks;
}

const comparisons = {
  le: (value: number | bigint, limit: number | bigint) => value <= limit,
  lt: (value: number | bigint, limit: number | bigint) => value < limit,
  ge: (value: number | bigint, limit: number | bigint) => value >= limit,
  gt: (value: number | bigint, limit: number | bigint) => value > limit,
} as const;

const boundTypes = { le: "less_than_equal", lt: "less_than", ge: "greater_than_equal", gt: "greater_than" } as const;
const boundWords = {
  le: "less than or equal to",
  lt: "less than",
  ge: "greater than or equal to",
  gt: "greater than",
} as const;

/** A bound in pydantic's words, such as `greater_than_equal`. */
export function bound(
  comparison: keyof typeof comparisons,
  limit: number | bigint,
  isFloat: boolean,
): Check<number | bigint> {
  const ctx = `{"${comparison}":${printed(limit, isFloat)}}`;
  const fault = new Fault(boundTypes[comparison], `Input should be ${boundWords[comparison]} ${limit}`, ctx);
  const holds = comparisons[comparison];
  return (value) => (holds(value, limit) ? undefined : fault);
}

function oneOf(allowed: ReadonlySet<number | bigint>, names: readonly string[]): Check<number | bigint> {
  const expected = names.length > 1 ? `${names.slice(0, -1).join(", ")} or ${names.at(-1)}` : `${names[0]}`;
  const fault = new Fault("literal_error", `Input should be ${expected}`, JSON.stringify({ expected }));
  return (value) => (allowed.has(Number(value)) ? undefined : fault);
}

function noneOf(refused: ReadonlySet<number>, names: readonly string[]): Check<number | bigint> {
  const fault = valueFault(`must not be ${names.join(" or ")}`);
  return (value) => (refused.has(Number(value)) ? fault : undefined);
}

/** Rules of a text. A uuid is not checked but read: see the uuid codec. */
export function stringChecks(rules: StringRules | undefined, element: (reason: string) => Error): Check<string>[] {
  if (rules === undefined) return [];
  return [...choiceChecks(rules), ...lengthChecks(rules), ...patternChecks(rules, element)];
}

/** The closed set that a text is one of, if its rules name one. */
export function literals(rules: StringRules | undefined): { allowed: ReadonlySet<string>; fault: Fault } | undefined {
  if (rules === undefined) return undefined;
  const constant = own(rules, "const");
  const allowed = new Set(constant === undefined ? rules.in : [constant]);
  return allowed.size === 0 ? undefined : { allowed, fault: choiceFault("literal_error", [...allowed]) };
}

function choiceChecks(rules: StringRules): Check<string>[] {
  const refused = new Set(rules.notIn);
  if (refused.size === 0) return [];
  const fault = valueFault(`must not be ${[...refused].map((text) => `'${text}'`).join(" or ")}`);
  return [(value) => (refused.has(value) ? fault : undefined)];
}

function lengthChecks(rules: StringRules): Check<string>[] {
  const exact = own(rules, "len");
  const min = Number(exact ?? own(rules, "minLen") ?? 0n);
  const max = Number(exact ?? own(rules, "maxLen") ?? Number.MAX_SAFE_INTEGER);
  const checks: Check<string>[] = [];
  if (own(rules, "maxLen") !== undefined || exact !== undefined) {
    const fault = lengthFault("String", "too_long", max);
    // A code point has one unit or two, so counting is rarely needed, and never for a text of more than twice the limit.
    const fits = ({ length }: string) => (length <= max ? true : length > 2 * max ? false : undefined);
    checks.push((value) => ((fits(value) ?? countCodePoints(value) <= max) ? undefined : fault));
  }
  if (min > 0) {
    const fault = lengthFault("String", "too_short", min);
    checks.push((value) => (value.length >= 2 * min || countCodePoints(value) >= min ? undefined : fault));
  }
  const byteRules = {
    min: own(rules, "lenBytes") ?? own(rules, "minBytes"),
    max: own(rules, "lenBytes") ?? own(rules, "maxBytes"),
  };
  if (byteRules.max !== undefined)
    checks.push(byteCheck((bytes) => bytes <= Number(byteRules.max), `at most ${byteRules.max}`));
  if (byteRules.min !== undefined)
    checks.push(byteCheck((bytes) => bytes >= Number(byteRules.min), `at least ${byteRules.min}`));
  return checks;
}

function byteCheck(holds: (bytes: number) => boolean, wanted: string): Check<string> {
  const fault = valueFault(`should have ${wanted} bytes`);
  return (value) => (holds(Buffer.byteLength(value)) ? undefined : fault);
}

function patternChecks(rules: StringRules, element: (reason: string) => Error): Check<string>[] {
  const checks: Check<string>[] = [];
  const source = own(rules, "pattern");
  if (source !== undefined) {
    const pattern = compile(source, element);
    const fault = new Fault(
      "string_pattern_mismatch",
      `String should match pattern '${source}'`,
      JSON.stringify({ pattern: source }),
    );
    checks.push((value) => (pattern.test(value) ? undefined : fault));
  }
  const { prefix, suffix, contains } = {
    prefix: own(rules, "prefix"),
    suffix: own(rules, "suffix"),
    contains: own(rules, "contains"),
  };
  if (prefix !== undefined)
    checks.push(textCheck((value) => value.startsWith(prefix), `should start with '${prefix}'`));
  if (suffix !== undefined) checks.push(textCheck((value) => value.endsWith(suffix), `should end with '${suffix}'`));
  if (contains !== undefined)
    checks.push(textCheck((value) => value.includes(contains), `should contain '${contains}'`));
  const refused = own(rules, "notContains");
  if (refused !== undefined)
    checks.push(textCheck((value) => !value.includes(refused), `must not contain '${refused}'`));
  return checks;
}

function textCheck(holds: (value: string) => boolean, reason: string): Check<string> {
  const fault = valueFault(reason);
  return (value) => (holds(value) ? undefined : fault);
}

function compile(source: string, element: (reason: string) => Error): RegExp {
  try {
    return new RegExp(source, "u");
  } catch {
    throw element(`the pattern ${source} cannot be compiled`);
  }
}

/** Length rules of bytes. */
export function bytesChecks(rules: BytesRules | undefined): Check<Uint8Array>[] {
  if (rules === undefined) return [];
  const min = own(rules, "len") ?? own(rules, "minLen");
  const max = own(rules, "len") ?? own(rules, "maxLen");
  const checks: Check<Uint8Array>[] = [];
  if (max !== undefined) checks.push(sizeCheck("Data", "too_long", Number(max)));
  if (min !== undefined) checks.push(sizeCheck("Data", "too_short", Number(min)));
  return checks;
}

function sizeCheck(what: "Data", type: "too_long" | "too_short", limit: number): Check<Uint8Array> {
  const fault = lengthFault(what, type, limit);
  return (value) => ((type === "too_long" ? value.length <= limit : value.length >= limit) ? undefined : fault);
}

function lengthFault(what: "String" | "Data", type: "too_long" | "too_short", limit: number): Fault {
  const unit = what === "String" ? "character" : "byte";
  const [word, key] = type === "too_long" ? ["most", "max_length"] : ["least", "min_length"];
  const kind = what === "String" ? `string_${type}` : `bytes_${type}`;
  const count = limit === 1 ? `1 ${unit}` : `${limit} ${unit}s`;
  return new Fault(kind, `${what} should have at ${word} ${count}`, `{"${key}":${limit}}`);
}

/** A list or dictionary of too many or too few entries. */
export function sizeFault(
  what: "List" | "Dictionary",
  type: "too_long" | "too_short",
  limit: number,
  actual: number,
): Fault {
  const [word, key] = type === "too_long" ? ["most", "max_length"] : ["least", "min_length"];
  const count = limit === 1 ? "1 item" : `${limit} items`;
  return new Fault(
    type,
    `${what} should have at ${word} ${count} after validation, not ${actual}`,
    `{"field_type":"${what}","${key}":${limit},"actual_length":${actual}}`,
  );
}

/** Numbers of an enum's values that its rules refuse. */
export function refusedNumbers(rules: EnumRules | undefined, numbers: readonly number[]): Set<number> {
  if (rules === undefined) return new Set();
  const constant = own(rules, "const");
  const allowed = constant === undefined ? rules.in : [constant];
  return new Set(
    numbers.filter((number) => (allowed.length > 0 && !allowed.includes(number)) || rules.notIn.includes(number)),
  );
}

/** How many code points a text has. */
export function countCodePoints(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}

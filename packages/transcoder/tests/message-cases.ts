import { oneof as oneofRules } from "@aiplatform/contract/buf/validate/validate";
import { json } from "@aiplatform/contract/transcoder/v1/route";
import { create, type DescField, type DescMessage, getOption, ScalarType } from "@bufbuild/protobuf";
import { createValidator } from "@bufbuild/protovalidate";
import fc from "fast-check";
import { fieldTraits, hasPresence } from "../src/messages/field-traits.ts";
import { enumNames } from "../src/scalars/enum-names.ts";
import { type Cases, floatCases, integerCases, type Rules, stringCases } from "./scalar-cases.ts";

const nothing = Symbol("the field is left out");
const validator = createValidator();

/** Objects that the contract lets through, and objects it refuses for one thing. `depth`: how far messages nest. */
export function messageCases(desc: DescMessage, depth = 2): Cases {
  const asked = askedFor(desc);
  const members = desc.fields
    .filter(
      (field) => !fieldTraits(field).hidden && (depth > 0 || asked.has(field.name) || field.message === undefined),
    )
    // Of a oneof one is given: the first.
    .filter((field) => field.oneof === undefined || field.proto.proto3Optional || field === field.oneof.fields[0])
    .map((field) => ({ name: field.name, ...memberCases(field, asked.has(field.name), depth) }));
  const goods = Object.fromEntries(members.map(({ name, good }) => [name, good]));
  const bads = members.flatMap(({ name, bad }) => (bad === undefined ? [] : [fc.record({ ...goods, [name]: bad })]));
  const noObject = fc.constantFrom<unknown>(1, "x", true, [], [{}]);
  return {
    good: fc.record(goods).map(withoutAbsent),
    bad: fc.oneof(noObject, ...bads.map((bad) => bad.map(withoutAbsent))),
  };
}

/** Whether the description says more of a message than the contract's rules do: the service holds that. */
export function isRefined(desc: DescMessage, within: ReadonlySet<DescMessage> = new Set()): boolean {
  if (within.has(desc)) return false;
  const seen = new Set([...within, desc]);
  return desc.fields.some(
    (field) => getOption(field, json).schema !== "" || (field.message !== undefined && isRefined(field.message, seen)),
  );
}

/** What must be given: what is marked so, and what its rules refuse when it is not set. */
function askedFor(desc: DescMessage): Set<string> {
  const chosen = desc.oneofs
    .filter((one) => getOption(one, oneofRules).required)
    .map(({ fields: [first] }) => first?.name ?? "");
  const { violations = [] } = validator.validate(desc, create(desc));
  const refused = new Set(violations.map(({ field: [first] }) => (first?.kind === "field" ? first.name : "")));
  const marked = desc.fields.filter((field) => {
    const { required, default: initial } = fieldTraits(field);
    return required || (refused.has(field.name) && initial === undefined);
  });
  return new Set([...marked.map(({ name }) => name), ...chosen]);
}

function withoutAbsent(members: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== nothing));
}

function memberCases(field: DescField, isAskedFor: boolean, depth: number): Cases {
  const { good, bad } = valueCases(field, depth);
  const isChosen = field.oneof !== undefined && isAskedFor && !field.proto.proto3Optional;
  const nullable = fieldTraits(field).nullable && !isChosen;
  // An enum that is not set is written as null, which its schema does not say: services always set theirs.
  const isGiven = isAskedFor || (field.fieldKind === "enum" && !hasPresence(field));
  const absences = [...(isGiven ? [] : [nothing]), ...(nullable ? [null] : [])];
  // That one of a oneof is missing is nothing the schema says.
  const wrongAbsences = isChosen
    ? []
    : [...(isAskedFor ? [nothing] : []), ...(nullable || isAnyJson(field) ? [] : [null])];
  const bads = [...(bad === undefined ? [] : [bad]), ...wrongAbsences.map((one) => fc.constant(one))];
  return {
    good: fc.oneof(
      { weight: 3, arbitrary: good },
      ...absences.map((one) => ({ weight: 1, arbitrary: fc.constant(one) })),
    ),
    bad: bads.length === 0 ? undefined : fc.oneof(...bads),
  };
}

function isAnyJson({ message, fieldKind }: DescField): boolean {
  return fieldKind === "message" && message?.typeName === "transcoder.v1.JsonValue";
}

function valueCases(field: DescField, depth: number): Cases {
  const rules: Rules = fieldTraits(field).rules?.type ?? { case: undefined };
  const isRequired = fieldTraits(field).required && !hasPresence(field) && fieldTraits(field).forbidsZero;
  if (field.fieldKind === "list") return listCases(field, rules, depth);
  if (field.fieldKind === "map") return mapCases(field, rules, depth);
  const strict = elementCases(field, rules, depth);
  const cases = fieldTraits(field).ignoreZero ? { ...strict, good: fc.oneof(strict.good, fc.constant(0)) } : strict;
  return isRequired
    ? { ...cases, good: cases.good.filter((value) => value !== "" && value !== 0 && value !== false) }
    : cases;
}

function elementCases(field: DescField, rules: Rules, depth: number): Cases {
  if (field.message !== undefined)
    return specialCases.get(field.message.typeName)?.() ?? messageCases(field.message, depth - 1);
  if (field.enum !== undefined) return enumCases(field, rules);
  return scalarCases(field.scalar, rules);
}

const typed = (...values: unknown[]) => fc.constantFrom(...values);
const objectCases = (): Cases => ({ good: fc.dictionary(names, fc.jsonValue()), bad: typed(1, "x", [], true) });
const specialCases = new Map<string, () => Cases>([
  [
    "google.protobuf.Timestamp",
    () => ({ good: instants, bad: typed("yesterday", {}, [], true, "2026-13-01T00:00:00Z") }),
  ],
  ["transcoder.v1.JsonObject", objectCases],
  ["transcoder.v1.JsonDocument", objectCases],
  ["transcoder.v1.JsonValue", () => ({ good: fc.jsonValue().filter((value) => value !== null), bad: undefined })],
]);

const names = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 4 }),
  fc.constantFrom("__proto__", "constructor", "0", "-1", "", "a.b"),
);
/** The whole of what a Timestamp holds, to the microsecond that JSON is read with, but written in milliseconds. */
const instants = fc
  .date({ min: new Date("0001-01-01T00:00:00.000Z"), max: new Date("9999-12-31T23:59:59.999Z"), noInvalidDate: true })
  .map((date) => date.toISOString());

function enumCases({ enum: desc }: DescField, rules: Rules): Cases {
  const { in: allowed = [], notIn = [] } = rules.case === "enum" ? rules.value : {};
  const byName = desc === undefined ? new Map<string, number>() : enumNames(desc).byName;
  const good = [...byName].filter(
    ([, number]) => (allowed.length === 0 || allowed.includes(number)) && !notIn.includes(number),
  );
  const refused = [...byName.keys()].filter((name) => !good.some(([known]) => known === name));
  return { good: fc.constantFrom(...good.map(([name]) => name)), bad: typed("NONE", "", 1, {}, [], true, ...refused) };
}

function scalarCases(scalar: ScalarType | undefined, rules: Rules): Cases {
  const kind = scalar ?? 9;
  if (kind === 8) {
    const wanted = rules.case === "bool" && Object.hasOwn(rules.value, "const") ? [rules.value.const] : [true, false];
    const others = wanted.length === 1 ? [!wanted[0]] : [];
    return { good: fc.constantFrom(...wanted), bad: typed("maybe", 2, {}, [], "", ...others) };
  }
  if (kind === 12) return bytesCases(rules);
  if (kind === 9) return stringCases(rules);
  return kind <= 2 ? floatCases(kind === 2, rules) : integerCases(kind, rules);
}

function bytesCases(rules: Rules): Cases {
  const most = rules.case === "bytes" && Object.hasOwn(rules.value, "maxLen") ? Number(rules.value.maxLen) : 20;
  const good = fc.uint8Array({
    minLength: rules.case === "bytes" ? Number(rules.value.minLen) : 0,
    maxLength: Math.min(most, 20),
  });
  return { good: good.map((bytes) => Buffer.from(bytes).toString("base64")), bad: typed(1, {}, [], true) };
}

function listCases(field: DescField & { fieldKind: "list" }, rules: Rules, depth: number): Cases {
  const sizes = rules.case === "repeated" ? rules.value : undefined;
  const item = elementCases(field, sizes?.items?.type ?? { case: undefined }, depth);
  const least = Math.max(Number(sizes?.minItems ?? 0), fieldTraits(field).forbidsZero ? 1 : 0);
  const most = sizes !== undefined && Object.hasOwn(sizes, "maxItems") ? Number(sizes.maxItems) : undefined;
  const lists = (minLength: number, maxLength: number) =>
    sizes?.unique ? fc.uniqueArray(item.good, { minLength, maxLength }) : fc.array(item.good, { minLength, maxLength });
  const bads: fc.Arbitrary<unknown>[] = [typed({}, 1, "x", true)];
  if (item.bad !== undefined)
    bads.push(
      fc.tuple(lists(Math.max(0, least - 1), Math.max(2, least)), item.bad).map(([some, one]) => [one, ...some]),
    );
  if (most !== undefined && most <= 10) bads.push(lists(most + 1, most + 1));
  if (least > 0) bads.push(typed([]));
  // Ajv does not see one `__proto__` beside another.
  if (sizes?.unique) bads.push(item.good.filter((one) => one !== "__proto__").map((one) => [one, one]));
  return { good: lists(least, Math.min(most ?? 3, Math.max(3, least))), bad: fc.oneof(...bads) };
}

function mapCases(field: DescField & { fieldKind: "map" }, rules: Rules, depth: number): Cases {
  const sizes = rules.case === "map" ? rules.value : undefined;
  const entry = elementCases(field, sizes?.values?.type ?? { case: undefined }, depth);
  const most = sizes !== undefined && Object.hasOwn(sizes, "maxPairs") ? Number(sizes.maxPairs) : undefined;
  const isText = field.mapKey === ScalarType.STRING;
  const anyKey = isText ? names : fc.integer({ min: -99, max: 99 }).map(String);
  const ruled = sizes?.keys?.type.case === undefined ? undefined : stringCases(sizes.keys.type);
  const keys = ruled ? ruled.good.map(String) : anyKey;
  const minKeys = Number(sizes?.minPairs ?? 0);
  const good = fc.dictionary(keys, entry.good, { minKeys, maxKeys: Math.min(most ?? 3, 3) });
  const bads: fc.Arbitrary<unknown>[] = [typed([], 1, "x", true)];
  if (entry.bad !== undefined) bads.push(entry.bad.map((one) => ({ [isText ? "a" : "7"]: one })));
  if (minKeys > 0) bads.push(typed({}));
  if (ruled?.bad !== undefined) {
    const badKeys = ruled.bad.filter((key) => typeof key === "string");
    bads.push(fc.tuple(badKeys, entry.good).map(([key, one]) => ({ [String(key)]: one })));
  }
  if (most !== undefined && most <= 10) {
    bads.push(fc.dictionary(keys, entry.good, { minKeys: most + 1, maxKeys: most + 1 }));
  }
  return { good, bad: fc.oneof(...bads) };
}

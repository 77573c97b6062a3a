import type { FieldRules } from "@aiplatform/contract/buf/validate/validate";
import { JsonDocumentSchema, JsonObjectSchema, JsonValueSchema } from "@aiplatform/contract/transcoder/v1/json";
import { create, type DescEnum, type DescField, type DescMessage, type Message, ScalarType } from "@bufbuild/protobuf";
import { TimestampSchema } from "@bufbuild/protobuf/wkt";
import { ContractError } from "../errors/contract-error.ts";
import { choiceFault, Fault, faults, valueFault } from "../errors/fault.ts";
import type { ProblemList } from "../errors/problem-list.ts";
import type { JsonView } from "../json/view.ts";
import * as codecs from "../scalars/codecs.ts";
import { enumNames } from "../scalars/enum-names.ts";
import { assertJsonForm } from "./field-traits.ts";
import {
  bound,
  bytesChecks,
  type Check,
  literals,
  numberChecks,
  refusedNumbers,
  stringChecks,
} from "./value-checks.ts";

/** Reads one value; notes its problems and answers undefined when it is refused. */
export interface ValueReader {
  readonly json: (view: JsonView, problems: ProblemList) => unknown;
  /** Absent where a value cannot stand in a path, query or header. */
  readonly text?: (text: string, problems: ProblemList) => unknown;
  /** The zero value breaks the rules, so that a field without presence has to be given. */
  readonly refusesZero: boolean;
}

/** What is needed to read a value of a singular field, list item or dictionary entry. */
export interface ValueShape {
  readonly field: DescField;
  readonly scalar: ScalarType | undefined;
  readonly enum: DescEnum | undefined;
  readonly message: DescMessage | undefined;
  readonly rules: FieldRules | undefined;
  /** Zero is exempt from the rules. */
  readonly ignoreZero: boolean;
  /** Zero counts as absent, and must not be. */
  readonly forbidsZero: boolean;
}

/** Readers of messages; given by the message reader, which needs this file's readers in turn. */
export interface MessageReaders {
  /** What is unknown is refused, and a date-time without a zone. */
  readonly strict: boolean;
  message(desc: DescMessage): ValueReader["json"];
}

export function valueReader(shape: ValueShape, messages: MessageReaders): ValueReader {
  if (shape.message !== undefined) return messageValueReader(shape.message, messages);
  if (shape.enum !== undefined) return enumReader(shape, shape.enum);
  const { scalar = ScalarType.STRING, rules } = shape;
  if (scalar === ScalarType.STRING) return stringReader(shape);
  if (scalar === ScalarType.BOOL) return booleanReader(shape);
  if (scalar === ScalarType.BYTES) {
    const checks = bytesChecks(rules?.type.case === "bytes" ? rules.type.value : undefined);
    return checked(shape, codecs.bytesCodec, { checks, zero: new Uint8Array() });
  }
  return numberReader(shape, scalar);
}

function stringReader(shape: ValueShape): ValueReader {
  const rules = shape.rules?.type.case === "string" ? shape.rules.type.value : undefined;
  const broken = (reason: string) => new ContractError("bad_rule", shape.field.toString(), reason);
  const checks = stringChecks(rules, broken);
  if (rules?.wellKnown.case === "uuid" && rules.wellKnown.value) {
    return checked(shape, codecs.uuidCodec, { checks: [...checks, emptyUuid], zero: "" });
  }
  if (shape.forbidsZero) checks.push(emptyString);
  const closed = literals(rules);
  if (closed === undefined) return checked(shape, codecs.stringCodec, { checks, zero: "" });
  // Of a closed set even a value of another type is said to be outside.
  const { allowed, fault } = closed;
  checks.unshift((value) => (allowed.has(value) ? undefined : fault));
  const codec = { ...codecs.stringCodec, fromJson: (view: JsonView) => (view.kind === "string" ? view.string : fault) };
  return checked(shape, codec, { checks, zero: "" });
}

const emptyStringFault = new Fault("string_too_short", "String should have at least 1 character", '{"min_length":1}');
const emptyString: Check<string> = (value) => (value === "" ? emptyStringFault : undefined);
const emptyUuid: Check<string> = (value) => (value === "" ? faults.uuid : undefined);

function booleanReader(shape: ValueShape): ValueReader {
  const rules = shape.rules?.type.case === "bool" ? shape.rules.type.value : undefined;
  const checks: Check<boolean>[] = [];
  if (rules !== undefined && Object.hasOwn(rules, "const")) {
    const wanted = rules.const;
    const fault = new Fault(
      "literal_error",
      `Input should be ${wanted ? "True" : "False"}`,
      `{"expected":"${wanted ? "True" : "False"}"}`,
    );
    checks.push((value) => (value === wanted ? undefined : fault));
  }
  if (shape.forbidsZero) checks.push((value) => (value ? undefined : valueFault("must be true")));
  return checked(shape, codecs.booleanCodec, { checks, zero: false });
}

function numberReader(shape: ValueShape, scalar: ScalarType): ValueReader {
  const { type } = shape.rules ?? {};
  const rules = type !== undefined && isNumberRules(type) ? type.value : undefined;
  const isFloat = scalar === ScalarType.DOUBLE || scalar === ScalarType.FLOAT;
  const checks = numberChecks(rules, isFloat);
  if (shape.forbidsZero) checks.push((value) => (Number(value) === 0 ? valueFault("must not be 0") : undefined));
  if (isFloat) {
    const finish = scalar === ScalarType.FLOAT ? Math.fround : undefined;
    return checked<number>(shape, codecs.floatCodec, { checks, zero: 0, finish });
  }
  const isUnsigned = codecs.integerRanges.get(scalar)?.min === 0n;
  if (isUnsigned && rules?.greaterThan.case === undefined) checks.push(bound("ge", 0, false));
  return checked<number | bigint>(shape, codecs.integerCodec, {
    checks,
    zero: 0,
    finish: (value) => codecs.saturate(scalar, value),
  });
}

type RuleType = FieldRules["type"];
type NumberRuleType = Exclude<
  RuleType,
  {
    case:
      | "bool"
      | "string"
      | "bytes"
      | "enum"
      | "repeated"
      | "map"
      | "any"
      | "duration"
      | "fieldMask"
      | "timestamp"
      | undefined;
  }
>;
const otherRules = new Set([
  "bool",
  "string",
  "bytes",
  "enum",
  "repeated",
  "map",
  "any",
  "duration",
  "fieldMask",
  "timestamp",
]);

function isNumberRules(type: RuleType): type is NumberRuleType {
  return type.case !== undefined && !otherRules.has(type.case);
}

function enumReader(shape: ValueShape, desc: DescEnum): ValueReader {
  const rules = shape.rules?.type.case === "enum" ? shape.rules.type.value : undefined;
  const names = enumNames(desc);
  const refused = refusedNumbers(rules, [0, ...names.byName.values()]);
  const accepted = new Map([...names.byName].filter(([, number]) => !refused.has(number)));
  const fault = choiceFault("enum", [...accepted.keys()]);
  const read = (text: string) => accepted.get(text) ?? fault;
  const codec = { fromJson: (view: JsonView) => (view.kind === "string" ? read(view.string) : fault), fromText: read };
  const reader = checked<number>(shape, codec, { checks: [], zero: 0 });
  return { ...reader, refusesZero: (shape.forbidsZero || refused.has(0)) && !shape.ignoreZero };
}

interface CheckedOptions<T> {
  checks: readonly Check<T>[];
  zero: T;
  finish?: ((value: T) => T) | undefined;
}

/** A reader that first converts and then checks; the first fault counts. */
function checked<T>(shape: ValueShape, codec: Codec<T>, { checks, zero, finish }: CheckedOptions<T>): ValueReader {
  const exemptsZero = shape.ignoreZero;
  const judge = (value: T | Fault): T | Fault => {
    if (value instanceof Fault) return value;
    if (exemptsZero && value === zero) return value;
    for (const check of checks) {
      const fault = check(value);
      if (fault !== undefined) return fault;
    }
    return finish === undefined ? value : finish(value);
  };
  return {
    json(view, problems) {
      const value = judge(codec.fromJson(view));
      if (!(value instanceof Fault)) return value;
      problems.add(value, view.raw);
      return undefined;
    },
    text(text, problems) {
      const value = judge(codec.fromText(text));
      if (!(value instanceof Fault)) return value;
      problems.add(value, JSON.stringify(text));
      return undefined;
    },
    refusesZero: !exemptsZero && checks.some((check) => check(zero) !== undefined),
  };
}

type Codec<T> = codecs.Codec<T>;

function messageValueReader(message: DescMessage, messages: MessageReaders): ValueReader {
  if (message.typeName === TimestampSchema.typeName) return timestampReader(messages.strict);
  if (message.typeName === JsonObjectSchema.typeName) {
    return objectReader((text) => create(JsonObjectSchema, { text }));
  }
  if (message.typeName === JsonValueSchema.typeName) return free((view) => create(JsonValueSchema, { text: view.raw }));
  if (message.typeName === JsonDocumentSchema.typeName) {
    return objectReader((text) => create(JsonDocumentSchema, { utf8: new Uint8Array(Buffer.from(text)) }));
  }
  assertJsonForm(message);
  return free(messages.message(message));
}

/** Reads an object as the text that it is. */
function objectReader(toMessage: (text: string) => Message): ValueReader {
  return free((view, problems) => {
    if (view.kind === "object") return toMessage(view.raw);
    problems.add(faults.dictionary, view.raw);
    return undefined;
  });
}

function free(json: ValueReader["json"]): ValueReader {
  return { json, refusesZero: false };
}

function timestampReader(needsZone: boolean): ValueReader {
  const { fromJson, fromText } = codecs.dateTimeCodec(needsZone);
  const finish = (value: ReturnType<typeof fromText>, input: () => string, problems: ProblemList) => {
    if (!(value instanceof Fault)) return create(TimestampSchema, value);
    problems.add(value, input());
    return undefined;
  };
  return {
    json: (view, problems) => finish(fromJson(view), () => view.raw, problems),
    text: (text, problems) => finish(fromText(text), () => JSON.stringify(text), problems),
    refusesZero: false,
  };
}

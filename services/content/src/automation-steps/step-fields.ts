import type { FieldViolation } from "@aiplatform/service-host";
import { isJsonRecord, type JsonRecord } from "../json-object.ts";
import { readTemplate, StepTemplateError, type TemplateReads } from "./template-text.ts";

/** How the values that a template reads are put into its text: as they are, or so that an e-mail's template can hold them. */
export type Filling = "plain" | "email" | "email_html";

/** What a field of a step's JSON may be. Every text in it is a template, unless only certain words may stand there. */
export type FieldRule = { required?: true } & (
  | { kind: "text"; maxLength: number; filling?: Filling }
  | { kind: "word"; oneOf: readonly string[] }
  | { kind: "integer"; min: number; max: number }
  | { kind: "number" }
  | { kind: "flag" }
  | { kind: "texts"; maxItems: number; maxLength: number }
  /** Objects with these fields; or a text that a run makes into the JSON of such a list. */
  | { kind: "objects"; fields: FieldRules; maxItems: number }
  | { kind: "json" }
);

/** By the name of the field. */
export type FieldRules = Readonly<Record<string, FieldRule>>;

/** What the templates among a step's fields read, with what is wrong with them. */
export interface StepReads extends TemplateReads {
  problems: FieldViolation[];
}

/** Where something stands in the request, and how much markup it may have. */
export interface TemplatePlace {
  field: string;
  maxMarkup: number;
}

type Problem = readonly [reason: string, description: string];

const nothing: TemplateReads = { variables: [], featureKeys: [], markup: 0 };
/** JSON in JSON at most. */
const maxJsonDepth = 20;

/** Reads what the rules know; other fields are left as they are. */
export function readFields(fields: JsonRecord, rules: FieldRules, place: TemplatePlace): StepReads {
  return readAll(Object.entries(rules), place, ([name, rule], maxMarkup) => {
    const field = `${place.field}.${name}`;
    const value = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (value !== undefined) return readField(value, rule, { field, maxMarkup });
    return rule.required ? refused(field, ["MISSING", "Field required"]) : empty();
  });
}

/** Nothing was read, and something is wrong. */
export function refused(field: string, [reason, description]: Problem): StepReads {
  return { ...nothing, problems: [{ field, reason, description }] };
}

function empty(): StepReads {
  return { ...nothing, problems: [] };
}

function readField(value: unknown, rule: FieldRule, place: TemplatePlace): StepReads {
  switch (rule.kind) {
    case "text":
      return readText(value, rule, place);
    case "word":
      return rule.oneOf.some((word) => word === value) ? empty() : refused(place.field, notOneOf(rule.oneOf));
    case "integer":
      return readInteger(value, rule, place);
    case "number":
      return typeof value === "number" && Number.isFinite(value) ? empty() : refused(place.field, noNumber);
    case "flag":
      return typeof value === "boolean" ? empty() : refused(place.field, noFlag);
    case "texts":
      return readList(value, rule.maxItems, place, (item, at) => readText(item, rule, at));
    case "objects":
      if (typeof value === "string") return readText(value, { maxLength: maxListTextLength }, place);
      return readList(value, rule.maxItems, place, (item, at) => readObject(item, rule.fields, at));
    case "json":
      return readJson(value, place, 0);
  }
}

function readText(
  value: unknown,
  { maxLength }: { maxLength: number },
  { field, maxMarkup }: TemplatePlace,
): StepReads {
  if (typeof value !== "string") return refused(field, noText);
  if (value === "") return refused(field, ["STRING_TOO_SHORT", "String should have at least 1 character"]);
  if (value.length > maxLength) {
    return refused(field, ["STRING_TOO_LONG", `String should have at most ${maxLength} characters`]);
  }
  return readTemplateAt(value, { field, maxMarkup });
}

function readTemplateAt(text: string, { field, maxMarkup }: TemplatePlace): StepReads {
  try {
    return { ...readTemplate(text, maxMarkup), problems: [] };
  } catch (error) {
    if (!(error instanceof StepTemplateError)) throw error;
    const { problems } = refused(field, ["TEMPLATE_INVALID", `Value error, ${error.message}`]);
    return { ...nothing, markup: error.markup, problems };
  }
}

function readInteger(value: unknown, { min, max }: { min: number; max: number }, { field }: TemplatePlace): StepReads {
  if (typeof value !== "number" || !Number.isSafeInteger(value)) {
    return refused(field, ["INT_TYPE", "Input should be a valid integer"]);
  }
  if (value < min) return refused(field, ["GREATER_THAN_EQUAL", `Input should be greater than or equal to ${min}`]);
  if (value > max) return refused(field, ["LESS_THAN_EQUAL", `Input should be less than or equal to ${max}`]);
  return empty();
}

function readList(
  value: unknown,
  maxItems: number,
  place: TemplatePlace,
  read: (item: unknown, place: TemplatePlace) => StepReads,
): StepReads {
  if (!Array.isArray(value)) return refused(place.field, ["LIST_TYPE", "Input should be a valid list"]);
  if (value.length > maxItems) return refused(place.field, ["TOO_LONG", `List should have at most ${maxItems} items`]);
  return readAll([...value.entries()], place, ([index, item], maxMarkup) =>
    read(item, { field: `${place.field}[${index}]`, maxMarkup }),
  );
}

function readObject(value: unknown, rules: FieldRules, place: TemplatePlace): StepReads {
  if (isJsonRecord(value)) return readFields(value, rules, place);
  return refused(place.field, ["DICT_TYPE", "Input should be a valid dictionary"]);
}

function readJson(value: unknown, place: TemplatePlace, depth: number): StepReads {
  if (depth > maxJsonDepth) return refused(place.field, ["JSON_TOO_DEEP", `Value error, nested too deeply`]);
  if (typeof value === "string") return readTemplateAt(value, place);
  const isList = Array.isArray(value);
  if (!isList && !isJsonRecord(value)) return empty();
  return readAll(Object.entries(value), place, ([name, item], maxMarkup) => {
    const field = isList ? `${place.field}[${name}]` : `${place.field}.${name}`;
    return readJson(item, { field, maxMarkup }, depth + 1);
  });
}

/** One after the other, each with the markup that those before it have left. */
function readAll<T>(
  items: readonly T[],
  { maxMarkup }: TemplatePlace,
  read: (item: T, maxMarkup: number) => StepReads,
): StepReads {
  let markup = 0;
  const reads = items.map((item) => {
    const one = read(item, maxMarkup - markup);
    markup += one.markup;
    return one;
  });
  return {
    variables: reads.flatMap(({ variables }) => variables),
    featureKeys: reads.flatMap(({ featureKeys }) => featureKeys),
    markup,
    problems: reads.flatMap(({ problems }) => problems),
  };
}

function notOneOf(words: readonly string[]): Problem {
  return ["LITERAL_ERROR", `Input should be ${words.map((word) => `'${word}'`).join(" or ")}`];
}

const maxListTextLength = 20_000;
const noText: Problem = ["STRING_TYPE", "Input should be a valid string"];
const noNumber: Problem = ["FLOAT_TYPE", "Input should be a valid number"];
const noFlag: Problem = ["BOOL_TYPE", "Input should be a valid boolean"];

/** A field that holds an id, or a template that makes one. */
export const idField = { kind: "text", maxLength: 255 } as const;

/** The text of a field without the blanks around it; undefined where it has none. */
export function textIn(fields: JsonRecord, name: string): string | undefined {
  const value = fields[name];
  return typeof value === "string" && value.trim() !== "" ? value.trim() : undefined;
}

/** The id in a field, in the spelling that services keep. */
export function idIn(fields: JsonRecord, name: string): string | undefined {
  return textIn(fields, name)?.toLowerCase();
}

/** The ids in the field of this name of objects, which may stand in lists. What is neither has none. */
export function idsIn(values: readonly unknown[], name: string): string[] {
  return values.flat().flatMap((value) => (isJsonRecord(value) ? (idIn(value, name) ?? []) : []));
}

/** A problem for each of these fields that is missing. */
export function missingFields(fields: JsonRecord, place: string, names: readonly string[]): FieldViolation[] {
  return names
    .filter((name) => fields[name] === undefined)
    .map((name) => ({ field: `${place}.${name}`, reason: "MISSING", description: "Field required" }));
}

/** A problem unless exactly one of the two fields is given. */
export function notExactlyOne(
  fields: JsonRecord,
  place: string,
  [one, other]: readonly [string, string],
): FieldViolation[] {
  const given = [one, other].filter((name) => fields[name] !== undefined);
  if (given.length === 1) return [];
  const description = `Value error, give ${one} or ${other}, and not both`;
  return [{ field: `${place}.${given.length === 0 ? one : other}`, reason: "VALUE_ERROR", description }];
}

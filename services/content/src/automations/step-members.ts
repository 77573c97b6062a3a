import type { FieldViolation } from "@aiplatform/service-host";
import type { Members } from "../json-object.ts";
import { readTemplate, TemplateError, type TemplateReads } from "./template-text.ts";

/** How the values that a template reads are put into its text: as they are, or so that an e-mail's template can hold them. */
export type Filling = "plain" | "email" | "email_html";

/** What a member of a step's JSON may be. Every text in it is a template, unless only certain words may stand there. */
export type MemberRule = { required?: true } & (
  | { kind: "text"; longest: number; filling?: Filling }
  | { kind: "word"; oneOf: readonly string[] }
  | { kind: "integer"; min: number; max: number }
  | { kind: "flag" }
  | { kind: "texts"; most: number; longest: number }
  /** Objects with these members; or a text that a run makes into the JSON of such a list. */
  | { kind: "objects"; members: MemberRules; most: number }
  /** Any JSON. */
  | { kind: "json" }
);

/** By the name of the member. */
export type MemberRules = Readonly<Record<string, MemberRule>>;

/** What the templates among a step's members read, with what is wrong with them. */
export interface StepReads extends TemplateReads {
  problems: FieldViolation[];
}

/** Where something stands in the request, and how much markup it may have. */
export interface TemplatePlace {
  field: string;
  mostMarkup: number;
}

type Problem = readonly [reason: string, description: string];

const nothing: TemplateReads = { variables: [], featureKeys: [], markup: 0 };
/** JSON in JSON at most. */
const deepestJson = 20;

/** Reads what the rules know; other members are left as they are. */
export function readMembers(members: Members, rules: MemberRules, place: TemplatePlace): StepReads {
  return readAll(Object.entries(rules), place, ([name, rule], mostMarkup) => {
    const field = `${place.field}.${name}`;
    const value = Object.hasOwn(members, name) ? members[name] : undefined;
    if (value !== undefined) return readMember(value, rule, { field, mostMarkup });
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

function readMember(value: unknown, rule: MemberRule, place: TemplatePlace): StepReads {
  switch (rule.kind) {
    case "text":
      return readText(value, rule, place);
    case "word":
      return rule.oneOf.some((word) => word === value) ? empty() : refused(place.field, notOneOf(rule.oneOf));
    case "integer":
      return readInteger(value, rule, place);
    case "flag":
      return typeof value === "boolean" ? empty() : refused(place.field, noFlag);
    case "texts":
      return readList(value, rule.most, place, (item, at) => readText(item, rule, at));
    case "objects":
      if (typeof value === "string") return readText(value, { longest: longestListText }, place);
      return readList(value, rule.most, place, (item, at) => readObject(item, rule.members, at));
    case "json":
      return readJson(value, place, 0);
  }
}

function readText(value: unknown, { longest }: { longest: number }, { field, mostMarkup }: TemplatePlace): StepReads {
  if (typeof value !== "string") return refused(field, noText);
  if (value === "") return refused(field, ["STRING_TOO_SHORT", "String should have at least 1 character"]);
  if (value.length > longest) {
    return refused(field, ["STRING_TOO_LONG", `String should have at most ${longest} characters`]);
  }
  return readTemplateAt(value, { field, mostMarkup });
}

function readTemplateAt(text: string, { field, mostMarkup }: TemplatePlace): StepReads {
  try {
    return { ...readTemplate(text, mostMarkup), problems: [] };
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error;
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
  most: number,
  place: TemplatePlace,
  read: (item: unknown, place: TemplatePlace) => StepReads,
): StepReads {
  if (!Array.isArray(value)) return refused(place.field, ["LIST_TYPE", "Input should be a valid list"]);
  if (value.length > most) return refused(place.field, ["TOO_LONG", `List should have at most ${most} items`]);
  return readAll([...value.entries()], place, ([index, item], mostMarkup) =>
    read(item, { field: `${place.field}[${index}]`, mostMarkup }),
  );
}

function readObject(value: unknown, rules: MemberRules, place: TemplatePlace): StepReads {
  if (isObject(value)) return readMembers(value, rules, place);
  return refused(place.field, ["DICT_TYPE", "Input should be a valid dictionary"]);
}

function readJson(value: unknown, place: TemplatePlace, depth: number): StepReads {
  if (depth > deepestJson) return refused(place.field, ["JSON_TOO_DEEP", `Value error, nested too deeply`]);
  if (typeof value === "string") return readTemplateAt(value, place);
  const isList = Array.isArray(value);
  if (!isList && !isObject(value)) return empty();
  return readAll(Object.entries(value), place, ([name, item], mostMarkup) => {
    const field = isList ? `${place.field}[${name}]` : `${place.field}.${name}`;
    return readJson(item, { field, mostMarkup }, depth + 1);
  });
}

/** One after the other, each with the markup that those before it have left. */
function readAll<T>(
  items: readonly T[],
  { mostMarkup }: TemplatePlace,
  read: (item: T, mostMarkup: number) => StepReads,
): StepReads {
  let markup = 0;
  const reads = items.map((item) => {
    const one = read(item, mostMarkup - markup);
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

function isObject(value: unknown): value is Members {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function notOneOf(words: readonly string[]): Problem {
  return ["LITERAL_ERROR", `Input should be ${words.map((word) => `'${word}'`).join(" or ")}`];
}

const longestListText = 20_000;
const noText: Problem = ["STRING_TYPE", "Input should be a valid string"];
const noFlag: Problem = ["BOOL_TYPE", "Input should be a valid boolean"];

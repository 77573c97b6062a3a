import type { FieldViolation } from "@aiplatform/service-host";
import { type Members, notAnObject, parseJsonObject } from "../json-object.ts";
import { readTemplate, TemplateError, type TemplateReads } from "./template-text.ts";

/** A step's template read, with what is wrong with it. */
export interface PromptTemplateReads extends TemplateReads {
  problems: FieldViolation[];
}

/** Where the template stands in the request, and how much markup it may have. */
export interface TemplatePlace {
  field: string;
  mostMarkup: number;
}

/** Characters of a prompt at most. */
const longestText = 20_000;

/** What a step can do today, and how to read what it needs for that. */
const stepTypes: Readonly<Record<string, (members: Members, place: TemplatePlace) => PromptTemplateReads>> = {
  prompt: readPrompt,
};

/** Reads a step's template, the JSON text of an object. Members that its type does not know are left as they are. */
export function readPromptTemplate(json: string, place: TemplatePlace): PromptTemplateReads {
  const members = parseJsonObject(json);
  if (!members) return { ...nothing, problems: [notAnObject(place.field)] };
  const field = `${place.field}.type`;
  const type = textOf(members["type"]);
  if (typeof type !== "string") return refused(field, type);
  const read = Object.hasOwn(stepTypes, type) ? stepTypes[type] : undefined;
  return read ? read(members, place) : refused(field, unknownType);
}

function readPrompt(members: Members, { field: outer, mostMarkup }: TemplatePlace): PromptTemplateReads {
  const field = `${outer}.text`;
  const text = textOf(members["text"]);
  if (typeof text !== "string") return refused(field, text);
  if (text === "") return refused(field, ["STRING_TOO_SHORT", "String should have at least 1 character"]);
  if (text.length > longestText) return refused(field, tooLong);
  try {
    return { ...readTemplate(text, mostMarkup), problems: [] };
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error;
    const { problems } = refused(field, ["TEMPLATE_INVALID", `Value error, ${error.message}`]);
    return { ...nothing, markup: error.markup, problems };
  }
}

type Problem = readonly [reason: string, description: string];

const unknownType: Problem = ["LITERAL_ERROR", `Input should be ${Object.keys(stepTypes).map(quoted).join(" or ")}`];
const tooLong: Problem = ["STRING_TOO_LONG", `String should have at most ${longestText} characters`];
const nothing: TemplateReads = { variables: [], featureKeys: [], markup: 0 };

/** The value if it is a text; else what is wrong with it. */
function textOf(value: unknown): string | Problem {
  if (value === undefined) return ["MISSING", "Field required"];
  return typeof value === "string" ? value : ["STRING_TYPE", "Input should be a valid string"];
}

function quoted(text: string): string {
  return `'${text}'`;
}

function refused(field: string, [reason, description]: Problem): PromptTemplateReads {
  return { ...nothing, problems: [{ field, reason, description }] };
}

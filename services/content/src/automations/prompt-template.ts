import type { FieldViolation } from "@aiplatform/service-host";
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

type Members = Readonly<Record<string, unknown>>;

/** Characters of a prompt at most. */
const longestText = 20_000;

/** What a step can do today, and how to read what it needs for that. */
const stepTypes: Readonly<Record<string, (members: Members, place: TemplatePlace) => PromptTemplateReads>> = {
  prompt: readPrompt,
};

/** Reads a step's template, the JSON text of an object. Members that its type does not know are left as they are. */
export function readPromptTemplate(json: string, place: TemplatePlace): PromptTemplateReads {
  const members: Members = JSON.parse(json);
  const { type } = members;
  const field = `${place.field}.type`;
  if (type === undefined) return refused(field, "MISSING", "Field required");
  if (typeof type !== "string") return refused(field, "STRING_TYPE", "Input should be a valid string");
  const read = Object.hasOwn(stepTypes, type) ? stepTypes[type] : undefined;
  const known = Object.keys(stepTypes).map((each) => `'${each}'`);
  return read ? read(members, place) : refused(field, "LITERAL_ERROR", `Input should be ${known.join(" or ")}`);
}

function readPrompt({ text }: Members, place: TemplatePlace): PromptTemplateReads {
  const field = `${place.field}.text`;
  if (text === undefined) return refused(field, "MISSING", "Field required");
  if (typeof text !== "string") return refused(field, "STRING_TYPE", "Input should be a valid string");
  if (text === "") return refused(field, "STRING_TOO_SHORT", "String should have at least 1 character");
  if (text.length > longestText) {
    return refused(field, "STRING_TOO_LONG", `String should have at most ${longestText} characters`);
  }
  try {
    return { ...readTemplate(text, place.mostMarkup), problems: [] };
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error;
    return refused(field, "TEMPLATE_INVALID", `Value error, ${error.message}`);
  }
}

function refused(field: string, reason: string, description: string): PromptTemplateReads {
  return { variables: [], featureKeys: [], markup: 0, problems: [{ field, reason, description }] };
}

import { readFields, refused, type StepReads, type TemplatePlace } from "../automation-steps/step-fields.ts";
import { isStepType, stepHandlers } from "../automation-steps/step-handlers/step-handlers.ts";
import { parseJsonObject } from "../json-object.ts";

/** Reads a step's template, the JSON text of an object. Fields that its type does not know are left as they are. */
export function readPromptTemplate(json: string, place: TemplatePlace): StepReads {
  const fields = parseJsonObject(json) ?? {};
  const field = `${place.field}.type`;
  const { type } = fields;
  if (type === undefined) return refused(field, ["MISSING", "Field required"]);
  if (typeof type !== "string") return refused(field, ["STRING_TYPE", "Input should be a valid string"]);
  if (!isStepType(type))
    return refused(field, ["LITERAL_ERROR", `Input should be ${quoted(Object.keys(stepHandlers))}`]);
  const handler = stepHandlers[type];
  const reads = readFields(fields, handler.fields, place);
  if (reads.problems.length > 0) return reads;
  return { ...reads, problems: handler.check?.(fields, place.field) ?? [] };
}

function quoted(words: readonly string[]): string {
  return words.map((word) => `'${word}'`).join(" or ");
}

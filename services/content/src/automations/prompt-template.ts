import { notAnObject, parseJsonObject } from "../json-object.ts";
import { isStepType, stepKind, stepTypes } from "./step-kinds.ts";
import { readMembers, refused, type StepReads, type TemplatePlace } from "./step-members.ts";

/** Reads a step's template, the JSON text of an object. Members that its type does not know are left as they are. */
export function readPromptTemplate(json: string, place: TemplatePlace): StepReads {
  const members = parseJsonObject(json);
  if (!members) return { variables: [], featureKeys: [], markup: 0, problems: [notAnObject(place.field)] };
  const field = `${place.field}.type`;
  const { type } = members;
  if (type === undefined) return refused(field, ["MISSING", "Field required"]);
  if (typeof type !== "string") return refused(field, ["STRING_TYPE", "Input should be a valid string"]);
  if (!isStepType(type)) return refused(field, ["LITERAL_ERROR", `Input should be ${quoted(stepTypes)}`]);
  const kind = stepKind(type);
  const reads = readMembers(members, kind.members, place);
  if (reads.problems.length > 0) return reads;
  return { ...reads, problems: kind.check?.(members, place.field) ?? [] };
}

function quoted(words: readonly string[]): string {
  return words.map((word) => `'${word}'`).join(" or ");
}

import { type StepTemplate, StepTemplateSchema } from "@aiplatform/contract/aiplatform/content/v1/step_templates";
import { fromJson, type JsonObject, type JsonValue, toJson } from "@bufbuild/protobuf";
import { isStepType } from "../automation-steps/step-handlers/step-handlers.ts";
import { parseJsonObject } from "../json-object.ts";

/** Fields of steps that are JSON of any form: text in a message. */
const jsonFields: readonly string[] = ["jobs", "configuration", "runtime_overrides", "datasets", "tables", "rows"];
/** What the words of a field begin with in its enum. */
const wordPrefixes: Readonly<Record<string, string>> = { action: "TRAIN_STEP_ACTION_", metric: "EMBED_STEP_METRIC_" };

/** The typed form of a step's template as the JSON text that is kept. Undefined: the message has no type. */
export function stepTemplateText(template: StepTemplate): string | undefined {
  const [written] = Object.entries(objectOf(toJson(StepTemplateSchema, template, asWritten)));
  if (!written) return undefined;
  const [type, fields] = written;
  const members = Object.entries({ type, ...plainFields(objectOf(fields)) });
  return `{${members.map(([name, value]) => `${JSON.stringify(name)}:${jsonText(name, value)}`).join(",")}}`;
}

/** Zero values are written, too, so that the rules of the step's type judge them. */
const asWritten = { useProtoFieldName: true, alwaysEmitImplicit: true };

function plainFields({ entries_template: template, ...fields }: JsonObject): JsonObject {
  const plain = Object.entries(fields).map(([name, value]) => [name, plainWord(wordPrefixes[name], value)]);
  return { ...Object.fromEntries(plain), ...(template === undefined ? {} : { entries: template }) };
}

/** The number of a word that is unknown here stays one, and is refused as such. */
function plainWord(prefix: string | undefined, value: JsonValue | undefined): JsonValue | undefined {
  if (prefix === undefined || typeof value !== "string") return value;
  return value.replace(prefix, "").toLowerCase();
}

/** JSON of any form is kept as it was sent: it may be too deep to be read, which its rule tells. */
function jsonText(name: string, value: JsonValue | undefined): string {
  if (!jsonFields.includes(name)) return JSON.stringify(value);
  const { text } = objectOf(value);
  return typeof text === "string" && text !== "" ? text : "null";
}

/** A kept template in its typed form. Undefined: an older version kept something that has none. */
export function stepTemplateMessage(promptTemplate: string): StepTemplate | undefined {
  const { type, ...fields } = parseJsonObject(promptTemplate) ?? {};
  if (!isStepType(type)) return undefined;
  try {
    return fromJson(StepTemplateSchema, { [type]: typedFields(fields) }, { ignoreUnknownFields: true });
  } catch {
    return undefined;
  }
}

function typedFields(fields: Readonly<Record<string, unknown>>): JsonObject {
  const { entries } = fields;
  const typed = Object.entries(fields).map(([name, value]) => [name, typedValue(name, value)]);
  return {
    ...Object.fromEntries(typed),
    ...(typeof entries === "string" ? { entries: [], entries_template: entries } : {}),
  };
}

function typedValue(name: string, value: unknown): unknown {
  if (jsonFields.includes(name)) return { text: JSON.stringify(value) };
  const prefix = wordPrefixes[name];
  return prefix !== undefined && typeof value === "string" ? `${prefix}${value.toUpperCase()}` : value;
}

function objectOf(value: JsonValue | undefined): JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? value : {};
}

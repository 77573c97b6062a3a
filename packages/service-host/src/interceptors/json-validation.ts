import { isUtf8 } from "node:buffer";
import { JsonDocumentSchema, JsonObjectSchema, JsonValueSchema } from "@aiplatform/contract/transcoder/v1/json";
import { type DescField, isMessage, type Message } from "@bufbuild/protobuf";
import { isReflectList, isReflectMap, isReflectMessage, type ReflectMessage } from "@bufbuild/protobuf/reflect";
import type { Interceptor } from "@connectrpc/connect";
import { assertNone, type FieldViolation } from "../invalid-fields-error.ts";
import { type RequestField, requestFieldsInterceptor } from "./request-fields.ts";

/**
 * Refuses free-form JSON that is none, wherever the contract has it: a `JsonObject` and a `JsonDocument` hold the text of an
 * object, a `JsonValue` that of any value. Empty stands for `{}` or `null`. The REST reader sends no other; a gRPC caller may send anything.
 */
export function jsonValidationInterceptor(): Interceptor {
  return requestFieldsInterceptor(isJson, (fields, message) => assertNone(violationsOf(fields, message, "")));
}

const jsonTypes: ReadonlySet<string> = new Set([
  JsonObjectSchema.typeName,
  JsonValueSchema.typeName,
  JsonDocumentSchema.typeName,
]);

function isJson({ message }: DescField): boolean {
  return message !== undefined && jsonTypes.has(message.typeName);
}

function violationsOf(fields: readonly RequestField[], message: ReflectMessage, prefix: string): FieldViolation[] {
  const violations: FieldViolation[] = [];
  for (const { field, nested } of fields) {
    if (!message.isSet(field)) continue;
    for (const [place, value] of messagesIn(message.get(field), `${prefix}${field.name}`)) {
      if (nested) violations.push(...violationsOf(nested, value, `${place}.`));
      else violations.push(...violationOf(value.message, place));
    }
  }
  return violations;
}

function messagesIn(value: unknown, place: string): (readonly [string, ReflectMessage])[] {
  if (isReflectMessage(value)) return [[place, value]];
  const items: [string, unknown][] = isReflectList(value)
    ? [...value].map((item, index) => [`${place}[${index}]`, item])
    : isReflectMap(value)
      ? [...value].map(([key, item]) => [`${place}[${JSON.stringify(key)}]`, item])
      : [];
  return items.flatMap(([at, item]) => (isReflectMessage(item) ? [[at, item] as const] : []));
}

function violationOf(message: Message, field: string): FieldViolation[] {
  const text = textOf(message);
  if (text === "") return [];
  const value = text === undefined ? undefined : parse(text);
  if (isMessage(message, JsonValueSchema)) {
    if (value !== undefined) return [];
    return [{ field, reason: "JSON_EXPECTED", description: "must be the text of a JSON value" }];
  }
  if (isObject(value)) return [];
  return [{ field, reason: "JSON_OBJECT_EXPECTED", description: "must be the text of a JSON object" }];
}

function textOf(message: Message): string | undefined {
  if (isMessage(message, JsonValueSchema) || isMessage(message, JsonObjectSchema)) return message.text;
  if (!isMessage(message, JsonDocumentSchema) || !isUtf8(message.utf8)) return undefined;
  return Buffer.from(message.utf8).toString();
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

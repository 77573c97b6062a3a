import { JsonObjectSchema } from "@aiplatform/contract/transcoder/v1/json";
import {
  type DescEnum,
  type DescField,
  type DescMessage,
  fromJson,
  type JsonObject,
  type JsonValue,
  type MessageShape,
  ScalarType,
  toJson,
} from "@bufbuild/protobuf";

/** How the two JSON forms differ, in one direction. */
interface Conversion {
  /** The name of a value of an enum. */
  enumName(desc: DescEnum, name: string): string;
  freeForm(value: JsonValue): JsonValue;
  int64(value: JsonValue): JsonValue;
}

/** The REST API writes names of enums without their prefix, free-form JSON as it is, and all integers as numbers. */
const toRest: Conversion = {
  enumName: (desc, name) => name.toLowerCase().slice(desc.sharedPrefix?.length ?? 0),
  freeForm: (value) => JSON.parse((isObject(value) && typeof value["text"] === "string" && value["text"]) || "{}"),
  int64: Number,
};

const fromRest: Conversion = {
  enumName: (desc, name) => `${desc.sharedPrefix ?? ""}${name}`.toUpperCase(),
  freeForm: (value) => ({ text: JSON.stringify(value) }),
  int64: (value) => value,
};

/** A message as the REST API takes it. Fields without a value are left out. */
export function toRestJson<Desc extends DescMessage>(desc: Desc, message: MessageShape<Desc>): JsonObject {
  const converted = convert(desc, toJson(desc, message, { useProtoFieldName: true }), toRest);
  return isObject(converted) ? converted : {};
}

/** A message from what the REST API answers; what is not in the contract is ignored. @throws Error for what is no such message */
export function fromRestJson<Desc extends DescMessage>(desc: Desc, json: JsonValue): MessageShape<Desc> {
  return fromJson(desc, convert(desc, json, fromRest), { ignoreUnknownFields: true });
}

function convert(desc: DescMessage, value: JsonValue, conversion: Conversion): JsonValue {
  if (desc.typeName === JsonObjectSchema.typeName) return conversion.freeForm(value);
  if (!isObject(value)) return value;
  const fields = new Map(desc.fields.map((field) => [field.name, field]));
  const members = Object.entries(value).filter(([, member]) => member !== null);
  return Object.fromEntries(
    members.map(([name, member]) => {
      const field = fields.get(name);
      return [name, field ? convertField(field, member, conversion) : member];
    }),
  );
}

function convertField(field: DescField, value: JsonValue, conversion: Conversion): JsonValue {
  const convertOne = converterOf(field, conversion);
  if (!convertOne) return value;
  if (field.fieldKind === "list") return Array.isArray(value) ? value.map(convertOne) : value;
  if (field.fieldKind !== "map" || !isObject(value)) return convertOne(value);
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, convertOne(member)]));
}

/** Undefined where both forms are the same: columns may have many thousands of numbers. */
function converterOf(field: DescField, conversion: Conversion): ((value: JsonValue) => JsonValue) | undefined {
  const { message, enum: desc, scalar } = field;
  if (message) return (value) => convert(message, value, conversion);
  if (desc) return (value) => (typeof value === "string" ? conversion.enumName(desc, value) : value);
  return scalar === ScalarType.INT64 || scalar === ScalarType.UINT64 ? conversion.int64 : undefined;
}

function isObject(value: JsonValue): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

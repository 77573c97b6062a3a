import { decodeEvent } from "@aiplatform/event-stream";
import { type DescMessage, type JsonObject, type JsonValue, ScalarType, toJson } from "@bufbuild/protobuf";

/** Items of a list that templates read of an event. */
const maxItems = 1_000;

const longTypes: ReadonlySet<ScalarType> = new Set([
  ScalarType.INT64,
  ScalarType.UINT64,
  ScalarType.SINT64,
  ScalarType.FIXED64,
  ScalarType.SFIXED64,
]);

/**
 * An event's message as templates read it: under the names of the contract, with all members there, numbers as numbers. Throws
 * InvalidEventError.
 */
export function eventJson(schema: DescMessage, data: Uint8Array): JsonObject {
  const json = toJson(schema, decodeEvent(schema, data), { useProtoFieldName: true, alwaysEmitImplicit: true });
  const members = typeof json === "object" && json !== null && !Array.isArray(json) ? json : {};
  const longs = new Set(schema.fields.filter(({ scalar }) => scalar && longTypes.has(scalar)).map(({ name }) => name));
  return Object.fromEntries(
    Object.entries(members).map(([name, value]) => [name, longs.has(name) ? Number(value) : bounded(value)]),
  );
}

function bounded(value: JsonValue): JsonValue {
  return Array.isArray(value) ? value.slice(0, maxItems) : value;
}

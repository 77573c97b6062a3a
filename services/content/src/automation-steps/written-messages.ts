import type { FieldViolation } from "@aiplatform/service-host/invalid-fields";
import { type DescMessage, fromJson, type JsonObject, type MessageShape } from "@bufbuild/protobuf";
import { StepFailedError } from "./step-outcome.ts";

/** What a step writes as a list. @throws StepFailedError */
export function writtenList(written: unknown, place: string, max = Number.POSITIVE_INFINITY): readonly unknown[] {
  if (!Array.isArray(written)) throw new StepFailedError(`${place}: must be a list`);
  if (written.length > max) throw new StepFailedError(`${place}: there are more than ${max}`);
  return written;
}

/** What a step writes as an object. @throws StepFailedError */
export function writtenObject(written: unknown, place: string): JsonObject {
  if (!isJsonObject(written)) throw new StepFailedError(`${place}: must be an object`);
  return written;
}

/** A message of the contract. A member that there is none of is refused: it may be another one, misspelt. @throws StepFailedError */
export function writtenMessage<S extends DescMessage>(schema: S, json: JsonObject, place: string): MessageShape<S> {
  try {
    return fromJson(schema, json);
  } catch (cause) {
    const said = cause instanceof Error ? cause.message : "cannot be read";
    throw new StepFailedError(`${place}: ${said}`, { cause });
  }
}

/** A problem for each member that these messages have no field for, in the contract's spelling. What a template makes is not known yet. */
export function unknownMembers(schema: DescMessage, written: unknown, place: string): FieldViolation[] {
  if (!Array.isArray(written)) return [];
  const known = schema.fields.map(({ name }) => name);
  const description = `Extra inputs are not permitted: known are ${known.map((name) => `'${name}'`).join(", ")}`;
  return written.flatMap((message: unknown, index) => {
    const unknown = isJsonObject(message) ? Object.keys(message).filter((name) => !known.includes(name)) : [];
    return unknown.map((name) => ({ field: `${place}[${index}].${name}`, reason: "EXTRA_FORBIDDEN", description }));
  });
}

/** Fields of steps are parsed JSON. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

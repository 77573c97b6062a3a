import type { Json } from "../mesh/rest.ts";
import { type Described, description, operations } from "../openapi/description.ts";

/** A place in the request of an operation in which a text can stand, whatever should stand there. */
export interface TextField {
  readonly operation: Described;
  readonly place: "body" | "path" | "query" | "header";
  /** Names from the outside inwards; 0 is the first item of a list, `*` any member of an object. */
  readonly path: readonly (string | number)[];
  /** Most characters, where the description says so. */
  readonly maxLength: number | undefined;
}

/** Deeper than any request but those that hold themselves. */
const maxDepth = 7;

/** Every such place of every operation, in the description's order. */
export const textFields: readonly TextField[] = [...operations.values()].flatMap((operation) => [
  ...(operation.operation.parameters ?? []).map(({ in: place, name, schema }: Json) => ({
    operation,
    place,
    path: [name],
    maxLength: maxLengthOf(schema),
  })),
  ...bodyFields(operation),
]);

function bodyFields(operation: Described): TextField[] {
  // A body of bytes has no texts.
  const schema = operation.operation.requestBody?.content["application/json"]?.schema;
  if (schema === undefined) return [];
  return places(schema, 0).map(({ path, maxLength }) => ({ operation, place: "body", path, maxLength }));
}

function places(given: Json, depth: number): Pick<TextField, "path" | "maxLength">[] {
  const schema = resolved(given);
  if (depth > maxDepth) return [];
  const below = (name: string | number, inner: Json) =>
    places(inner, depth + 1).map(({ path, maxLength }) => ({ path: [name, ...path], maxLength }));
  const choices: Json[] = schema.anyOf ?? schema.oneOf ?? [];
  if (choices.length > 0) {
    const all = choices.filter(({ type }) => type !== "null").flatMap((choice) => places(choice, depth + 1));
    return [...new Map(all.map((each) => [each.path.join("/"), each])).values()];
  }
  if (schema.properties) {
    return Object.entries<Json>(schema.properties).flatMap(([name, inner]) => below(name, inner));
  }
  if (schema.items) return below(0, schema.items);
  if (schema.type === "object") return [{ path: ["*"], maxLength: undefined }];
  return [{ path: [], maxLength: schema.maxLength }];
}

function maxLengthOf(given: Json): number | undefined {
  return places(given, 0).find(({ maxLength }) => maxLength !== undefined)?.maxLength;
}

function resolved(schema: Json): Json {
  const { $ref } = schema;
  return $ref === undefined ? schema : resolved(description.components.schemas[$ref.split("/").at(-1)]);
}

/** The value with that text at the place; what stands on the way and is not there yet is made. */
export function withText(value: Json, [name, ...rest]: readonly (string | number)[], text: string): Json {
  if (name === undefined) return text;
  const isObject = typeof value === "object" && value !== null;
  if (name === 0) {
    const items: Json[] = Array.isArray(value) ? value : [];
    return [withText(items[0], rest, text), ...items.slice(1)];
  }
  const members = isObject && !Array.isArray(value) ? value : {};
  const key = name === "*" ? "a" : name;
  return { ...members, [key]: withText(members[key], rest, text) };
}

/** `createRole body.name`. */
export function nameOf({ operation, place, path }: TextField): string {
  return `${operation.id} ${[place, ...path].join(".")}`;
}

import type { Json } from "../mesh/rest.ts";
import { description } from "./description.ts";

/** Type or format of a value, the shape of a list's items, or the shapes of an object's fields. */
export type Shape = string | readonly [Shape] | { readonly [field: string]: Shape };

/**
 * What a schema of the description says of a value. The name of a field that may be absent ends in `?`, and of one that may be null
 * in `|null`.
 */
export function shapeOf(schema: Json): Shape {
  const { type, format, items, properties, required = [] } = withoutNull(resolved(schema));
  if (type === "array") return [shapeOf(items)];
  if (properties === undefined) return format ?? type ?? "any";
  const fields = Object.entries<Json>(properties).map(([name, field]): [string, Shape] => {
    const key = `${name}${required.includes(name) ? "" : "?"}${isNullable(field) ? "|null" : ""}`;
    return [key, shapeOf(field)];
  });
  return Object.fromEntries(fields);
}

function resolved(schema: Json): Json {
  return schema.$ref ? description.components.schemas[schema.$ref.split("/").at(-1)] : schema;
}

const isNullable = ({ anyOf = [] }: Json): boolean => anyOf.some(({ type }: Json) => type === "null");

/** The one choice that is neither null nor a value that is exempt from the others' rules. */
function withoutNull(schema: Json): Json {
  const choices = (schema.anyOf ?? []).filter((choice: Json) => choice.type !== "null" && !("const" in choice));
  return choices.length === 1 ? withoutNull(resolved(choices[0])) : schema;
}

import type { components } from "@aiplatform/client";

type NewColumn = components["schemas"]["DatasetColumn-Input"];
export type ColumnType = NonNullable<NewColumn["type"]>;

const types: Readonly<Record<ColumnType, true>> = {
  string: true,
  integer: true,
  number: true,
  boolean: true,
  date: true,
  date_time: true,
};

/** The types that a column may have. */
export const columnTypes = Object.keys(types).join(", ");

function isColumnType(text: string): text is ColumnType {
  return Object.hasOwn(types, text);
}

/** Reads columns that were typed one a line, as `name` or `name: type`. What follows the last colon and is no type belongs to the name. */
export function readColumns(text: string): NewColumn[] {
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "")
    .map((line) => {
      const colon = line.lastIndexOf(":");
      const type = line.slice(colon + 1).trim();
      return colon > 0 && isColumnType(type) ? { name: line.slice(0, colon).trim(), type } : { name: line };
    });
}

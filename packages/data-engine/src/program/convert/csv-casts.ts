import { type ColumnType, missingValues } from "@aiplatform/column-types";
import { quoteText, quoteTexts } from "../duckdb/sql.ts";

/** A column of a text file as it is stored. `with_offset`: date_time of which values have an offset. */
export type TextType = ColumnType | "with_offset";

const textTypeNames: readonly TextType[] = [
  ...(["string", "integer", "number", "boolean"] as const),
  ...(["date", "date_time", "with_offset"] as const),
];

/** Name of each type in DuckDB. */
export const storedTypes: Readonly<Record<TextType, string>> = {
  string: "VARCHAR",
  integer: "BIGINT",
  number: "DOUBLE",
  boolean: "BOOLEAN",
  date: "DATE",
  date_time: "TIMESTAMP",
  with_offset: "TIMESTAMP WITH TIME ZONE",
};

/** The types by their names in DuckDB. */
export const textTypes: ReadonlyMap<string, TextType> = new Map(textTypeNames.map((type) => [storedTypes[type], type]));

export const kindOf = (type: TextType): ColumnType => (type === "with_offset" ? "date_time" : type);

/** Of a list, and not of the operator IN: of that DuckDB makes a join, which takes memory for each column of each file and mixes the rows up. */
const isMissing = (text: string) => `list_contains(${quoteTexts([...missingValues])}, ${text})`;
const trimmed = (text: string) => `trim(${text}, ' \t')`;
const whole = "[+-]?(0|[1-9][0-9]*)";
const decimal = "[+-]?((0|[1-9][0-9]*)(\\.[0-9]*)?|\\.[0-9]+)([eE][+-]?[0-9]{1,3})?";
const time = "[0-9]{4}-[0-9]{2}-[0-9]{2}([T ][0-9]{2}:[0-9]{2}(:[0-9]{2}([.,][0-9]{1,9})?)?)?";
const offset = "([Zz]|[+-][0-9]{2}(:?[0-9]{2})?)?";

/** How most values of a type are read, NULL for others: cheap, since it looks at every value. */
const quick: Readonly<Record<Exclude<TextType, "string">, (text: string) => string>> = {
  integer: (text) => `CASE WHEN TRY_CAST(${text} AS BIGINT)::VARCHAR = ${text} THEN TRY_CAST(${text} AS BIGINT) END`,
  // A text between 00 and 0: is a zero and another digit.
  number: (text) =>
    `CASE WHEN isfinite(TRY_CAST(${text} AS DOUBLE)) AND NOT ${text} BETWEEN '00' AND '0:' THEN TRY_CAST(${text} AS DOUBLE) END`,
  boolean: (text) => `CASE ${text} WHEN 'true' THEN true WHEN 'false' THEN false END`,
  date: (text) => `CASE WHEN strlen(${text}) = 10 THEN TRY_CAST(${text} AS DATE) END`,
  date_time: (text) =>
    `CASE WHEN strlen(${text}) BETWEEN 16 AND 26 AND right(${text}, 1) BETWEEN '0' AND '9' AND NOT contains(${text}, '+') AND NOT contains(substr(${text}, 11), '-') THEN TRY_CAST(${text} AS TIMESTAMP) END`,
  with_offset: (text) => `CASE WHEN strlen(${text}) >= 20 THEN TRY_CAST(${text} AS TIMESTAMPTZ) END`,
};

/** The values that are right and unusual: with spaces, a plus sign, another case, times to the minute. NULL for others. */
const careful: Readonly<Record<Exclude<TextType, "string">, (text: string) => string>> = {
  integer: (text) => `CASE WHEN regexp_full_match(${text}, '${whole}') THEN TRY_CAST(${text} AS BIGINT) END`,
  number: (text) =>
    `CASE WHEN regexp_full_match(${text}, '${decimal}') AND isfinite(TRY_CAST(${text} AS DOUBLE)) THEN TRY_CAST(${text} AS DOUBLE) END`,
  boolean: (text) =>
    `CASE WHEN lower(${text}) IN ('true', 'yes') THEN true WHEN lower(${text}) IN ('false', 'no') THEN false END`,
  date: (text) => `CASE WHEN strlen(${text}) = 10 THEN TRY_CAST(${text} AS DATE) END`,
  date_time: (text) =>
    `CASE WHEN regexp_full_match(${text}, '${time}') THEN TRY_CAST(replace(${text}, ',', '.') AS TIMESTAMP) END`,
  with_offset: (text) =>
    `CASE WHEN regexp_full_match(${text}, '${time}${offset}') THEN TRY_CAST(regexp_replace(replace(replace(${text}, ',', '.'), 'z', 'Z'), '^(.{16})([Z+-].*)$', '\\1:00\\2') AS TIMESTAMPTZ) END`,
};

/** The condition of values that a column of a type cannot hold. `text`: an expression, such as a quoted name. */
export function isUnfit(text: string, type: TextType): string {
  if (type === "string") return "false";
  const value = trimmed(text);
  return `(${text} IS NOT NULL AND NOT ${isMissing(value)} AND ${quick[type](text)} IS NULL AND ${careful[type](value)} IS NULL)`;
}

/**
 * The value of a text in a column of a type: SQL that ends the query with `mark` as its message when the text does not fit. Casts
 * of DuckDB round 1.5 to an integer, drop the time of a date and the zeros of a postcode without a word, so each is checked.
 */
export function castOf(text: string, type: TextType, mark: string): string {
  if (type === "string") return text;
  const value = trimmed(text);
  const rest = `CASE WHEN ${text} IS NULL OR ${isMissing(value)} THEN NULL ELSE coalesce(${careful[type](value)}, error(${quoteText(mark)})::${storedTypes[type]}) END`;
  return `coalesce(${quick[type](text)}, ${rest})`;
}

import type { Comparison, Expression } from "@aiplatform/list-filter";
import type { VersionColumn } from "../dataset-versions/dataset-version.ts";

/** The value of a parameter: `$1`, `$2` and so on. */
export type SqlValue = string | number | bigint | boolean;

/** A condition of SQL. Values are parameters, names are quoted: no text of a caller is SQL. */
export interface SqlCondition {
  sql: string;
  parameters: SqlValue[];
}

const wholePattern = /^[+-]?\d{1,19}$/;
/** Of 64 bits, as parameters have them. */
const [minWhole, maxWhole] = [-(2n ** 63n), 2n ** 63n - 1n];

const sqlOperators: Readonly<Record<Exclude<Comparison["operator"], ":">, string>> = {
  "=": "=",
  "!=": "<>",
  "<": "<",
  "<=": "<=",
  ">": ">",
  ">=": ">=",
};

/** What stands in place of a value, so that it is compared as what the column holds. Times without a zone are in UTC. */
function placeholderFor(column: VersionColumn | undefined, parameter: string): string {
  if (column?.kind === "date") return `CAST(${parameter} AS DATE)`;
  if (column?.kind !== "date_time") return parameter;
  return `CAST(${parameter} AS ${column.type.includes("TIME ZONE") ? "TIMESTAMPTZ" : "TIMESTAMP"})`;
}

/**
 * The filter of rows as a condition for DuckDB. A comparison with a missing value is false; so NOT finds rows without a value, as the
 * other lists of the platform do.
 */
export function rowCondition(filter: Expression<Comparison>, columns: readonly VersionColumn[]): SqlCondition {
  const parameters: SqlValue[] = [];
  const byName = new Map(columns.map((column) => [column.name, column]));
  const write = (part: Expression<Comparison>): string => {
    if (part.kind === "comparison") return comparisonSql(part, byName, parameters);
    if (part.kind === "not") return `((${write(part.of)}) IS NOT TRUE)`;
    return `(${part.of.map(write).join(part.kind === "and" ? " AND " : " OR ")})`;
  };
  return { sql: write(filter), parameters };
}

/** A name as SQL has it. */
export function quotedName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

function comparisonSql(
  comparison: Comparison,
  columns: ReadonlyMap<string, VersionColumn>,
  parameters: SqlValue[],
): string {
  const { field, operator } = comparison;
  const column = quotedName(field.path);
  const value = parameterOf(comparison);
  if (operator === ":" || value === undefined) return `(${column} IS NOT NULL)`;
  parameters.push(value);
  const parameter = placeholderFor(columns.get(field.path), `$${parameters.length}`);
  return `(${column} ${sqlOperators[operator]} ${parameter})`;
}

/** Whole numbers of 64 bits keep all their digits. */
function parameterOf({ field, value, written }: Comparison): SqlValue | undefined {
  if (value instanceof Date) return value.toISOString();
  if (field.type !== "number" || !wholePattern.test(written.text)) return value;
  const whole = BigInt(written.text.replace("+", ""));
  return whole < minWhole || whole > maxWhole ? value : whole;
}

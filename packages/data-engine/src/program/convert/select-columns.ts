import { quoteName } from "../duckdb/sql.ts";
import type { SourceColumn } from "./source.ts";

/** A query for columns of these, with other types where they are wanted. */
export function selectColumns(from: string, columns: readonly SourceColumn[], wanted: readonly SourceColumn[]): string {
  const selected = wanted.map(({ name, type }) => {
    const isSame = columns.some((each) => each.name === name && each.type === type);
    return isSame ? quoteName(name) : `CAST(${quoteName(name)} AS ${type}) AS ${quoteName(name)}`;
  });
  return `SELECT ${selected.join(", ")} FROM ${from}`;
}

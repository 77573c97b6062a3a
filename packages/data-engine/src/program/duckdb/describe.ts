import type { DuckDBType } from "@duckdb/node-api";
import type { ColumnKind } from "../../requests.ts";
import { kindOf } from "./columns.ts";
import type { Database } from "./database.ts";

/** A column as DuckDB has it. */
export interface DescribedColumn {
  readonly name: string;
  /** As DuckDB writes it. */
  readonly type: string;
  readonly kind: ColumnKind;
}

/** Name, type and kind of each column that a query answers, without its rows. */
export async function describeColumns({ connection }: Database, sql: string): Promise<DescribedColumn[]> {
  const prepared = await connection.prepare(sql);
  try {
    return Array.from({ length: prepared.columnCount }, (_, index) => {
      const type = prepared.columnType(index);
      return { name: prepared.columnName(index), type: typeText(type), kind: kindOf(type) };
    });
  } finally {
    prepared.destroySync();
  }
}

/** As DuckDB writes it: JSON is a text that it calls so. */
export const typeText = (type: DuckDBType) => type.alias ?? type.toString();

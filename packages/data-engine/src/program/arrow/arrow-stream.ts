import type { DuckDBType, DuckDBValue } from "@duckdb/node-api";
import * as arrow from "@uwdata/flechette";
import { arrowColumn } from "./arrow-types.ts";

/** A column of rows that are written. */
export interface NamedType {
  readonly name: string;
  readonly type: DuckDBType;
}

/** Rows as an Arrow IPC stream: its schema, one record batch where there are rows, and its end. `metadata` is that of the schema. */
export function arrowStream(
  columns: readonly NamedType[],
  rows: readonly (readonly DuckDBValue[])[],
  metadata: Readonly<Record<string, string>>,
): Uint8Array {
  const built = columns.map(({ name, type: duckType }, index) => {
    const { type, storage, write } = arrowColumn(duckType);
    const values = rows.map((row) => {
      const value = row[index] ?? null;
      return value === null ? null : write(value);
    });
    const { data } = arrow.columnFromArray(values, storage);
    return { field: arrow.field(name, type), column: new arrow.Column([...data], type) };
  });
  const schema: arrow.Schema = {
    ...{ version: arrow.Version.V5, endianness: arrow.Endianness.Little },
    fields: built.map(({ field }) => field),
    metadata: new Map(Object.entries(metadata)),
  };
  const table = new arrow.Table(
    schema,
    built.map(({ column }) => column),
  );
  const bytes = arrow.tableToIPC(table, { format: "stream" });
  if (!bytes) throw new Error("a stream in memory without bytes");
  return bytes;
}

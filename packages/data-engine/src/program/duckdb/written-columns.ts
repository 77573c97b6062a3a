import { create } from "@bufbuild/protobuf";
import { type Column, ColumnSchema } from "../../gen/data_engine_pb.js";
import type { Database } from "./database.ts";
import { describeColumns } from "./describe.ts";
import { parquetOf, quoteText } from "./sql.ts";

/** What was written: types, and whether a value is missing. */
export async function writtenColumns(database: Database, output: string): Promise<Column[]> {
  const columns = await describeColumns(database, `SELECT * FROM ${parquetOf([output])}`);
  const reader = await database.connection.runAndReadAll(
    `SELECT path_in_schema FROM parquet_metadata(${quoteText(output)}) GROUP BY ALL HAVING sum(coalesce(stats_null_count, 1)) = 0`,
  );
  const complete = new Set(reader.getRows().map(([name]) => name));
  // What is within lists and structures has names of its own there: such a column may always lack values.
  return columns.map(({ name, type, kind }) =>
    create(ColumnSchema, { name, type, kind, nullable: !complete.has(name) }),
  );
}

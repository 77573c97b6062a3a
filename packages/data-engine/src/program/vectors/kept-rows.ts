import { DuckDBBooleanVector } from "@duckdb/node-api";
import type { Condition } from "../../gen/data_engine_pb.js";
import type { Database } from "../duckdb/database.ts";
import { parquetOf } from "../duckdb/sql.ts";
import { parameterOf } from "../read/parameters.ts";

/** For each row of a file, 1 where it fits a condition over the columns. @throws an error of DuckDB */
export async function keptRows(
  { connection }: Database,
  { file, where, rows }: { readonly file: string; readonly where: Condition; readonly rows: number },
): Promise<Uint8Array> {
  const sql = `SELECT coalesce((${where.sql}\n), false) FROM ${parquetOf([file])}`;
  const result = await connection.stream(sql, where.parameters.map(parameterOf));
  const marks = new Uint8Array(rows);
  let row = 0;
  for (let chunk = await result.fetchChunk(); chunk && chunk.rowCount > 0; chunk = await result.fetchChunk()) {
    const values = chunk.getColumnVector(0);
    if (!(values instanceof DuckDBBooleanVector)) throw new Error("a condition that is no truth value");
    for (let at = 0; at < chunk.rowCount; at++, row++) {
      if (values.getItem(at) === true && row < rows) marks[row] = 1;
    }
  }
  return marks;
}

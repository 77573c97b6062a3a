import { DuckDBBooleanVector } from "@duckdb/node-api";
import type { Condition } from "../../gen/data_engine_pb.js";
import type { Database } from "../duckdb/database.ts";
import { quoteTexts } from "../duckdb/sql.ts";
import { parameterOf } from "../read/parameters.ts";

/** Rows that fit a condition. */
export interface KeptRows {
  /** 1 for each row that does. */
  readonly marks: Uint8Array;
  readonly count: number;
}

/** The rows of files that fit a condition over their columns. @throws an error of DuckDB */
export async function keptRows(
  { connection }: Database,
  { files, where, rows }: { readonly files: readonly string[]; readonly where: Condition; readonly rows: number },
): Promise<KeptRows> {
  const sql = `SELECT coalesce((${where.sql}\n), false) FROM read_parquet(${quoteTexts(files)})`;
  const result = await connection.stream(sql, where.parameters.map(parameterOf));
  const marks = new Uint8Array(rows);
  let [row, count] = [0, 0];
  for (let chunk = await result.fetchChunk(); chunk && chunk.rowCount > 0; chunk = await result.fetchChunk()) {
    const values = chunk.getColumnVector(0);
    if (!(values instanceof DuckDBBooleanVector)) throw new Error("a condition that is no truth value");
    for (let at = 0; at < chunk.rowCount; at++, row++) {
      if (values.getItem(at) !== true || row >= rows) continue;
      marks[row] = 1;
      count += 1;
    }
  }
  return { marks, count };
}

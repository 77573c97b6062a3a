import { DuckDBBigIntVector, DuckDBListVector } from "@duckdb/node-api";
import type { VectorMetric } from "../../requests.ts";
import type { Database } from "../duckdb/database.ts";
import { parquetOf } from "../duckdb/sql.ts";
import { type Matrix, newMatrix } from "./kernel.ts";
import { store } from "./metrics.ts";

/** Vectors as they are stored, with the row of each. Those that cannot be found are left out. It is good until the next one. */
export interface VectorBatch {
  readonly matrix: Matrix;
  readonly rows: readonly number[];
}

export interface VectorSource {
  readonly database: Database;
  /** A Parquet file with the columns `row` and `vector`. */
  readonly path: string;
  readonly metric: VectorMetric;
  readonly dimensions: number;
}

/** All vectors of a file. */
export async function* vectorBatches({
  database,
  path,
  metric,
  dimensions,
}: VectorSource): AsyncGenerator<VectorBatch> {
  const sql = `SELECT CAST("row" AS BIGINT), CAST(vector AS FLOAT[]) FROM ${parquetOf([path])}`;
  const result = await database.connection.stream(sql);
  let matrix: Matrix | undefined;
  for (let chunk = await result.fetchChunk(); chunk && chunk.rowCount > 0; chunk = await result.fetchChunk()) {
    const [places, lists] = [chunk.getColumnVector(0), chunk.getColumnVector(1)];
    if (!(places instanceof DuckDBBigIntVector && lists instanceof DuckDBListVector))
      throw new Error("the file has no vectors");
    matrix ??= newMatrix(maxRows, dimensions);
    const rows: number[] = [];
    const vector = new Float32Array(dimensions);
    const numbers = lists.childVector;
    for (let at = 0; at < chunk.rowCount; at++) {
      if (lists.getEntryLength(at) !== dimensions) continue;
      const from = lists.getEntryOffset(at);
      for (let place = 0; place < dimensions; place++) vector[place] = Number(numbers.getItem(from + place));
      if (store(metric, vector, matrix, rows.length)) rows.push(Number(places.getItem(at)));
    }
    yield { matrix, rows };
  }
}

/** Of a chunk of DuckDB. */
const maxRows = 2_048;

import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { Database } from "../duckdb/database.ts";
import { parquetOf } from "../duckdb/sql.ts";
import { writeParquet } from "../duckdb/write-parquet.ts";
import type { Source, SourceColumn } from "./source.ts";

/** Columns of all files of one query: its text and its plan stand in memory beside DuckDB's. */
const columnsAtOnce = 1_000;

/** What is written of which files. */
export interface Pass {
  readonly sources: readonly Source[];
  readonly columns: readonly SourceColumn[];
}

interface Places {
  readonly database: Database;
  readonly scratch: string;
  readonly output: string;
}

/** Writes the rows of all files, in their order, into one Parquet file; of many files, in parts that are put together. */
export async function writeRows(
  { sources, columns }: Pass,
  { database, scratch, output }: Places,
  onProgress: (share: number) => void,
): Promise<bigint> {
  const types = columns.map(({ type }) => type);
  const selects = sources.map((source, index) => source.select(columns, `[file ${index}]`));
  const filesAtOnce = Math.max(1, Math.floor(columnsAtOnce / Math.max(1, columns.length)));
  if (selects.length <= filesAtOnce)
    return await writeParquet(database, { sql: selects.join(" UNION ALL "), types, output }, onProgress);
  const parts: string[] = [];
  try {
    for (let from = 0; from < selects.length; from += filesAtOnce) {
      const sql = selects.slice(from, from + filesAtOnce).join(" UNION ALL ");
      const part = join(scratch, `part-${parts.length}.parquet`);
      parts.push(part);
      await writeParquet(database, { sql, types, output: part });
      onProgress(Math.min(1, (from + filesAtOnce) / selects.length));
    }
    return await writeParquet(database, { sql: `SELECT * FROM ${parquetOf(parts)}`, types, output });
  } finally {
    await Promise.all(parts.map((part) => rm(part, { force: true })));
  }
}

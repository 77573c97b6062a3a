import type { DuckDBValue } from "@duckdb/node-api";
import type { Database } from "./database.ts";
import { quoteText } from "./sql.ts";

/** Rows of a group, and values: a group of a wide table or of long vectors has fewer rows, since it stands in memory as a whole. */
const groupRows = 122_880;
const groupValues = 8_000_000;
/** A column of vectors, and how many numbers each has. */
const vectorType = /\[(\d+)\]$/;
const vectorRows = 2_048;
const progressMs = 500;

interface Writing {
  readonly sql: string;
  /** How DuckDB writes the types of the columns. */
  readonly types: readonly string[];
  readonly output: string;
  readonly parameters?: readonly DuckDBValue[];
}

/** Writes what a query answers, in its order, into a Parquet file; returns the number of its rows. */
export async function writeParquet(
  { connection }: Database,
  { sql, types, output, parameters = [] }: Writing,
  onProgress: (share: number) => void = () => {},
): Promise<bigint> {
  const columns = types.reduce((sum, type) => sum + Number(vectorType.exec(type)?.[1] ?? 1), 0);
  const rows = Math.max(vectorRows, Math.min(groupRows, Math.floor(groupValues / columns / vectorRows) * vectorRows));
  const timer = setInterval(() => {
    const { percentage } = connection.progress;
    if (percentage > 0) onProgress(Math.min(1, percentage / 100));
  }, progressMs);
  try {
    const options = `FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE ${rows}`;
    // The line break ends a comment of the query.
    const reader = await connection.runAndReadAll(`COPY (${sql}\n) TO ${quoteText(output)} (${options})`, [
      ...parameters,
    ]);
    const [count] = reader.getRows()[0] ?? [];
    return typeof count === "bigint" ? count : 0n;
  } finally {
    clearInterval(timer);
  }
}

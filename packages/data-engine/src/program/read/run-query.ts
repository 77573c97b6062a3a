import type { MessageInitShape } from "@bufbuild/protobuf";
import type { DuckDBValue } from "@duckdb/node-api";
import type { ConvertedSchema, Page, Query } from "../../gen/data_engine_pb.js";
import type { Database } from "../duckdb/database.ts";
import { describeColumns } from "../duckdb/describe.ts";
import { LimitFailure } from "../duckdb/failures.ts";
import { queryFailureOf } from "../duckdb/query-failure.ts";
import { parquetOf, quoteName } from "../duckdb/sql.ts";
import { writeParquet } from "../duckdb/write-parquet.ts";
import { writtenColumns } from "../duckdb/written-columns.ts";
import { judgeQuery } from "./judge-query.ts";
import { pageOf } from "./page.ts";
import { parameterOf } from "./parameters.ts";

/** Wider than 64 bits, which Parquet has no integer for: as the decimal that holds it. */
const wide = /^U?HUGEINT$/;

type Answer = { readonly page: Page } | { readonly converted: MessageInitShape<typeof ConvertedSchema> };

/** Answers a query, or writes its result into a file. @throws QueryFailure, LimitFailure, an error of DuckDB */
export async function runQuery(
  database: Database,
  query: Query,
  onProgress: (share: number) => void = () => {},
): Promise<Answer> {
  const { connection } = database;
  const parameters = query.parameters.map(parameterOf);
  try {
    for (const { name, files } of query.views)
      await connection.run(`CREATE VIEW ${quoteName(name)} AS SELECT * FROM ${parquetOf(files)}`);
    await judgeQuery(database, query);
    if (query.output !== "") {
      const sql = withoutEnd(query.sql);
      return { converted: await writeResult(database, { ...query, sql }, { parameters, onProgress }) };
    }
    // As a stream: rows beyond those that are asked for are not computed.
    return { page: await pageOf(await connection.stream(query.sql, parameters), query) };
  } catch (error) {
    if (!(error instanceof Error) || error instanceof LimitFailure) throw error;
    // In a file the query is a part of another statement, and its places are others.
    throw queryFailureOf(error, query.output === "" ? query.sql : undefined);
  }
}

/** Without the semicolons at its end: it becomes a part of another statement. */
function withoutEnd(sql: string): string {
  let end = sql.trimEnd();
  while (end.endsWith(";")) end = end.slice(0, -1).trimEnd();
  return end;
}

interface Writing {
  readonly parameters: readonly DuckDBValue[];
  readonly onProgress: (share: number) => void;
}

async function writeResult(
  database: Database,
  { sql, output, maxRows }: Query,
  { parameters, onProgress }: Writing,
): Promise<MessageInitShape<typeof ConvertedSchema>> {
  const columns = await describeColumns(database, sql);
  const selected = columns.map(({ name, type }) =>
    wide.test(type) ? `CAST(${quoteName(name)} AS DECIMAL(38,0)) AS ${quoteName(name)}` : quoteName(name),
  );
  const bounded = `SELECT ${selected.join(", ")} FROM (${sql}\n) LIMIT ${maxRows + 1n}`;
  const writing = { sql: bounded, types: columns.map(({ type }) => type), output, parameters };
  const rowCount = await writeParquet(database, writing, onProgress);
  if (rowCount > maxRows) throw new LimitFailure("rows", `The result has more than ${maxRows} rows`);
  return { rowCount, columns: await writtenColumns(database, output) };
}

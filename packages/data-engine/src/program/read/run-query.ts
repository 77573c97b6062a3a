import type { MessageInitShape } from "@bufbuild/protobuf";
import { type DuckDBValue, StatementType } from "@duckdb/node-api";
import type { ConvertedSchema, Page, Query } from "../../gen/data_engine_pb.js";
import type { Database } from "../duckdb/database.ts";
import { describeColumns } from "../duckdb/describe.ts";
import { LimitFailure, QueryFailure } from "../duckdb/failures.ts";
import { quoteName, quoteTexts } from "../duckdb/sql.ts";
import { writeParquet } from "../duckdb/write-parquet.ts";
import { writtenColumns } from "../duckdb/written-columns.ts";
import { pageOf } from "./page.ts";
import { parameterOf } from "./parameters.ts";

/** Wider than 64 bits, which Parquet has no integer for: as the decimal that holds it. */
const wide = /^U?HUGEINT$/;

/** What DuckDB calls errors of the query itself. */
const ofQuery =
  /^(?:Failed to extract statements|Parser|Binder|Catalog|Conversion|Permission|Invalid Input|Invalid|Out of Range|Not implemented|Syntax)/i;

type Answer = { readonly page: Page } | { readonly converted: MessageInitShape<typeof ConvertedSchema> };

/** Answers a query, or writes its result into a file. @throws QueryFailure, LimitFailure, an error of DuckDB */
export async function runQuery(database: Database, query: Query): Promise<Answer> {
  const { connection } = database;
  const parameters = query.parameters.map(parameterOf);
  for (const { name, files } of query.views)
    await connection.run(`CREATE VIEW ${quoteName(name)} AS SELECT * FROM read_parquet(${quoteTexts(files)})`);
  try {
    await judge(database, query.sql);
    if (query.output !== "") {
      const sql = withoutEnd(query.sql);
      return { converted: await writeResult(database, { ...query, sql }, parameters) };
    }
    // As a stream: rows beyond those that are asked for are not computed.
    return { page: await pageOf(await connection.stream(query.sql, parameters), query) };
  } catch (error) {
    if (!(error instanceof Error) || !ofQuery.test(error.message)) throw error;
    throw new QueryFailure(error.message.replace(/^Failed to extract statements: /, ""));
  }
}

/** By DuckDB's own parser. @throws QueryFailure unless it is one SELECT, an error of DuckDB where it is no SQL */
async function judge({ connection }: Database, sql: string): Promise<void> {
  if (sql.trim() === "") throw new QueryFailure("The query is empty; write one SELECT");
  const statements = await connection.extractStatements(sql);
  if (statements.count !== 1) throw new QueryFailure(`The query has ${statements.count} statements; write one SELECT`);
  const prepared = await statements.prepare(0);
  const { statementType } = prepared;
  prepared.destroySync();
  if (statementType !== StatementType.SELECT)
    throw new QueryFailure(`The query is ${StatementType[statementType]}; only SELECT is allowed`);
}

/** Without the semicolons at its end: it becomes a part of another statement. */
function withoutEnd(sql: string): string {
  let end = sql.trimEnd();
  while (end.endsWith(";")) end = end.slice(0, -1).trimEnd();
  return end;
}

async function writeResult(
  database: Database,
  { sql, output, maxRows }: Query,
  parameters: readonly DuckDBValue[],
): Promise<MessageInitShape<typeof ConvertedSchema>> {
  const columns = await describeColumns(database, sql);
  const selected = columns.map(({ name, type }) =>
    wide.test(type) ? `CAST(${quoteName(name)} AS DECIMAL(38,0)) AS ${quoteName(name)}` : quoteName(name),
  );
  const bounded = `SELECT ${selected.join(", ")} FROM (${sql}\n) LIMIT ${maxRows + 1n}`;
  const rowCount = await writeParquet(database, { sql: bounded, columns: columns.length, output, parameters });
  if (rowCount > maxRows) throw new LimitFailure("rows", `The result has more than ${maxRows} rows`);
  return { rowCount, columns: await writtenColumns(database, output) };
}

import { type DuckDBAppender, DuckDBDataChunk } from "@duckdb/node-api";
import type { NamedColumn, RowChunk } from "../arrow/arrow-rows.ts";
import type { Database } from "../duckdb/database.ts";
import { quoteName } from "../duckdb/sql.ts";
import { writeParquet } from "../duckdb/write-parquet.ts";

/** Bytes that stand in memory before they are written. */
const partBytes = 64 * 1_048_576;
const table = "staged";

/** Rows on their way into Parquet: a table in memory, which is written and emptied again and again. */
export class StagedRows implements AsyncDisposable {
  readonly #database: Database;
  readonly #columns: readonly NamedColumn[];
  readonly #path: string;
  readonly #parts: string[] = [];
  #appender: DuckDBAppender | undefined;
  #bytes = 0;
  rowCount = 0;

  private constructor(database: Database, columns: readonly NamedColumn[], path: string) {
    this.#database = database;
    this.#columns = columns;
    this.#path = path;
  }

  static async open(database: Database, columns: readonly NamedColumn[], path: string): Promise<StagedRows> {
    const staged = new StagedRows(database, columns, path);
    await staged.#empty();
    return staged;
  }

  async append({ columns, rowCount, bytes }: RowChunk): Promise<void> {
    const types = this.#columns.map(({ column }) => column.type);
    const chunk = DuckDBDataChunk.create(types, rowCount);
    chunk.setColumns(columns);
    this.#appender?.appendDataChunk(chunk);
    this.rowCount += rowCount;
    this.#bytes += bytes;
    if (this.#bytes >= partBytes) await this.#write();
  }

  /** The files with all rows, one at least. */
  async finish(): Promise<readonly string[]> {
    if (this.#bytes > 0 || this.#parts.length === 0) await this.#write();
    return this.#parts;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#appender?.closeSync();
    this.#appender = undefined;
    await this.#database.connection.run(`DROP TABLE IF EXISTS ${table}`);
  }

  async #write(): Promise<void> {
    this.#appender?.closeSync();
    this.#appender = undefined;
    const output = `${this.#path}-${this.#parts.length}.parquet`;
    const types = this.#columns.map(({ column }) => String(column.type));
    await writeParquet(this.#database, { sql: `SELECT * FROM ${table}`, types, output });
    this.#parts.push(output);
    await this.#empty();
  }

  async #empty(): Promise<void> {
    const { connection } = this.#database;
    const columns = this.#columns.map(({ name, column }) => `${quoteName(name)} ${column.type}`);
    await connection.run(`CREATE OR REPLACE TABLE ${table} (${columns.join(", ")})`);
    this.#appender = await connection.createAppender(table);
    this.#bytes = 0;
  }
}

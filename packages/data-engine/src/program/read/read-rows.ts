import { stat } from "node:fs/promises";
import type { Page, ReadRows } from "../../gen/data_engine_pb.js";
import type { Database } from "../duckdb/database.ts";
import { describeColumns } from "../duckdb/describe.ts";
import { unknownColumn } from "../duckdb/query-failure.ts";
import { parquetOf, quoteName, quoteText, quoteTexts } from "../duckdb/sql.ts";
import { pageOf } from "./page.ts";
import { parameterOf } from "./parameters.ts";

/** Name under which DuckDB gives the place of a row in its file, and that of its file. */
const place = "file_row_number";
const fileName = "filename";

/** What is known of files that do not change. */
interface KnownFile {
  readonly columns: readonly string[];
  readonly rowCount: number;
}

/** Reads rows of Parquet files, and remembers what their footers say. */
export class RowReader {
  readonly #database: Database;
  readonly #known = new Map<string, KnownFile>();

  constructor(database: Database) {
    this.#database = database;
  }

  /** @throws QueryFailure a column that is not there, and an error of DuckDB */
  async read(request: ReadRows): Promise<Page> {
    const files: KnownFile[] = [];
    for (const path of request.files) files.push(await this.#look(path));
    const names = files[0]?.columns ?? [];
    const unknown = [...request.columns, ...request.orderBy.map(({ column }) => column)].find(
      (name) => !names.includes(name),
    );
    if (unknown !== undefined) throw unknownColumn(unknown);
    const { limit, maxBytes, format } = request;
    const { connection } = this.#database;
    const parameters = request.where?.parameters.map(parameterOf) ?? [];
    const result = await connection.stream(queryFor(request, files), parameters);
    return await pageOf(result, { limit, maxBytes, format });
  }

  /** Rows of a file. */
  async count(path: string): Promise<number> {
    return (await this.#look(path)).rowCount;
  }

  async #look(path: string): Promise<KnownFile> {
    const { size, mtimeMs, ino } = await stat(path);
    const key = `${path} ${size} ${mtimeMs} ${ino}`;
    const known = this.#known.get(key);
    if (known) return known;
    const { connection } = this.#database;
    const reader = await connection.runAndReadAll(`SELECT num_rows FROM parquet_file_metadata(${quoteText(path)})`);
    const columns = await describeColumns(this.#database, `SELECT * FROM ${parquetOf([path])}`);
    const found = { columns: columns.map(({ name }) => name), rowCount: Number(reader.getRows()[0]?.[0] ?? 0) };
    this.#known.set(key, found);
    return found;
  }
}

function queryFor(request: ReadRows, files: readonly KnownFile[]): string {
  const names = files[0]?.columns ?? [];
  const selected = (request.columns.length > 0 ? request.columns : names).map(quoteName).join(", ");
  // A column of the data that is called so hides the place.
  const isPlain = !names.some((name) => [place, fileName].includes(name.toLowerCase()));
  const isFirstRows = !request.where && !request.sample && request.orderBy.length === 0;
  if (isFirstRows && isPlain) return placesQuery(request, files, selected);
  const from = parquetOf(request.files, isPlain ? `, ${place} = true, ${fileName} = true` : "");
  const where = request.where ? ` WHERE (${request.where.sql}\n)` : "";
  const places = isPlain ? [`list_position(${quoteTexts(request.files)}, ${fileName})`, place] : [];
  const after = request.files.length > 1 ? places : places.slice(1);
  if (request.sample) {
    // By a hash of the place, so that the same rows come whatever threads do.
    const random = `hash(${[...(isPlain ? after : [selected]), String(request.sample.seed)].join(", ")})`;
    const chosen = `SELECT * FROM ${from}${where} ORDER BY ${random} LIMIT ${request.limit}`;
    return `SELECT ${selected} FROM (${chosen})${after.length > 0 ? ` ORDER BY ${after.join(", ")}` : ""}`;
  }
  const wanted = request.orderBy.map(
    ({ column, descending }) => `${quoteName(column)} ${descending ? "DESC" : "ASC"} NULLS LAST`,
  );
  const order = wanted.length > 0 ? ` ORDER BY ${[...wanted, ...after].join(", ")}` : "";
  return `SELECT ${selected} FROM ${from}${where}${order} LIMIT ${request.limit + 1} OFFSET ${request.offset}`;
}

/** Rows by their places: DuckDB reads the groups that have them, where OFFSET would read all before. */
function placesQuery({ files: paths, offset, limit }: ReadRows, files: readonly KnownFile[], selected: string): string {
  let [first, left] = [Number(offset), limit + 1];
  const parts: string[] = [];
  for (const [index, { rowCount }] of files.entries()) {
    const taken = Math.max(0, Math.min(rowCount - first, left));
    if (taken > 0 || (index === files.length - 1 && parts.length === 0)) {
      const from = parquetOf([paths[index] ?? ""], `, ${place} = true`);
      const places = `${place} >= ${first} AND ${place} < ${first + taken}`;
      parts.push(`(SELECT ${selected} FROM ${from} WHERE ${places} ORDER BY ${place})`);
    }
    first = Math.max(0, first - rowCount);
    left -= taken;
  }
  return parts.join(" UNION ALL ");
}

import { StatementType } from "@duckdb/node-api";
import type { Database } from "../duckdb/database.ts";
import { placeOf, QueryFailure } from "../duckdb/query-failure.ts";

/** Functions that answer rows of their arguments alone. All others read files, or what DuckDB knows of itself. */
const tableFunctions: ReadonlySet<string> = new Set([
  ...["range", "generate_series", "unnest", "repeat", "repeat_row", "json_each", "json_tree"],
]);

/** Functions that tell of settings, of the machine and of what the database has. */
const innerFunction =
  /^(?:current_setting|getenv|getvariable|which_secret|write_log|query|query_table|duckdb_.*|pragma_.*|pg_.*)$/;
/** Relations of DuckDB itself. A part of the query that is called so could hide that one is read elsewhere in it. */
const innerRelation = /^(?:duckdb_|pragma_|pg_|sqlite_)/;

const remedy = "Read the views of the query, and nothing else.";

interface Judged {
  readonly sql: string;
  readonly views: readonly { readonly name: string }[];
}

/**
 * By DuckDB's own parser: one SELECT, which reads its views alone. DuckDB itself refuses files; this also keeps paths and settings of the
 * machine from it.
 * @throws QueryFailure, an error of DuckDB where it is no SQL
 */
export async function judgeQuery(database: Database, judged: Judged): Promise<void> {
  const { sql } = judged;
  if (sql.trim() === "") throw new QueryFailure({ message: "The query is empty", remedy: writeOne });
  const statements = await database.connection.extractStatements(sql);
  if (statements.count !== 1)
    throw new QueryFailure({ message: `The query has ${statements.count} statements`, remedy: writeOne });
  judgeTree(await treeOf(database, sql), judged);
  const prepared = await statements.prepare(0);
  const { statementType } = prepared;
  prepared.destroySync();
  if (statementType !== StatementType.SELECT) throw new QueryFailure({ message: noSelect, remedy: writeOne });
}

const noSelect = "The query is no SELECT";
const writeOne = "Write one SELECT; PIVOT stands behind FROM.";

/** The query as DuckDB has parsed it. @throws QueryFailure when it is no SELECT */
async function treeOf({ connection }: Database, sql: string): Promise<unknown> {
  const options = "skip_null := true, skip_default := true, skip_empty := true";
  const reader = await connection.runAndReadAll(`SELECT json_serialize_sql($1::VARCHAR, ${options})`, [sql]);
  const tree: { error: boolean } = JSON.parse(String(reader.getRows()[0]?.[0]));
  // What is no SQL was refused before, with its place.
  if (tree.error) throw new QueryFailure({ message: noSelect, remedy: writeOne });
  return tree;
}

/** A part of a query: what is not there is not of its kind. */
type Part = Readonly<Record<string, unknown>>;

/** Without a call for each level: the query may have many. */
function judgeTree(tree: unknown, { sql, views }: Judged): void {
  const names = new Set(views.map(({ name }) => name.toLowerCase()));
  const parts: Part[] = [];
  for (const waiting = [tree]; waiting.length > 0; ) {
    const next = waiting.pop();
    if (typeof next !== "object" || next === null) continue;
    waiting.push(...Object.values(next));
    if (!Array.isArray(next)) parts.push({ ...next });
  }
  // What WITH names.
  for (const { key, value } of parts)
    if (typeof key === "string" && value !== undefined && !innerRelation.test(key.toLowerCase()))
      names.add(key.toLowerCase());
  for (const part of parts) {
    const message = objectionTo(part, names);
    const at = part["query_location"];
    const place = typeof at === "number" ? placeOf(sql, at) : undefined;
    if (message !== undefined) throw new QueryFailure({ message, remedy, place });
  }
}

const textOf = (value: unknown): string => (typeof value === "string" ? value : "");

function objectionTo(part: Part, names: ReadonlySet<string>): string | undefined {
  const { type, class: kind } = part;
  if (type === "SHOW_REF") return "The query asks what the database has";
  if (type === "BASE_TABLE") {
    const name = textOf(part["table_name"]);
    const isOwn = part["schema_name"] === undefined && part["catalog_name"] === undefined;
    return isOwn && names.has(name.toLowerCase()) ? undefined : `The query has no view ${name}`;
  }
  if (type === "TABLE_FUNCTION") {
    const name = nameOfFunction(part["function"]);
    return tableFunctions.has(name) ? undefined : `A query reads no rows of the function ${name}`;
  }
  if (kind !== "FUNCTION") return undefined;
  const name = textOf(part["function_name"]).toLowerCase();
  return innerFunction.test(name) ? `A query does not call the function ${name}` : undefined;
}

function nameOfFunction(call: unknown): string {
  return typeof call === "object" && call !== null && "function_name" in call
    ? textOf(call.function_name).toLowerCase()
    : "";
}

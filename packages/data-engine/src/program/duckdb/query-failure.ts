/** Where something stands in a query, both from 1. */
export interface QueryPlace {
  readonly line: number;
  readonly character: number;
}

interface QueryFault {
  readonly message: string;
  readonly remedy: string;
  readonly place?: QueryPlace | undefined;
}

/** A query that is refused. */
export class QueryFailure extends Error {
  readonly remedy: string;
  readonly place: QueryPlace | undefined;
  constructor({ message, remedy, place }: QueryFault) {
    super(message);
    this.remedy = remedy;
    this.place = place;
  }
}

export const unknownColumn = (name: string) =>
  new QueryFailure({ message: `There is no column ${name}`, remedy: "Name columns that the data has." });

/** What an error of DuckDB says of itself. */
interface Said {
  readonly kind: string;
  readonly message: string;
  /** Bytes of the query before the place. */
  readonly position?: number | undefined;
}

/** What helps against errors of each kind that are the query's own. */
const remedies: ReadonlyMap<string, string> = new Map([
  ["Parser", "Correct the SQL at this place."],
  ["Syntax", "Correct the SQL at this place."],
  ["Catalog", "Name the views of the query, and functions that DuckDB has."],
  ["Binder", "Name columns that the views have, and use them as their types allow."],
  ["Conversion", "Use TRY_CAST where a value may not fit the type."],
  ["Out of Range", "Use a wider type, or TRY_CAST."],
  ["Permission", "Read the views of the query, and nothing else."],
  ["Invalid Input", "Correct the query."],
  ["Invalid", "Correct the query."],
  ["Not implemented", "Write the query without this part."],
]);

const beforeStatement = "Failed to extract statements: ";

/** The failure of a query, if an error of DuckDB is the query's own; otherwise the error, in DuckDB's words. Without `sql` it has no place. */
export function queryFailureOf(error: Error, sql: string | undefined): Error {
  if (error instanceof QueryFailure) return error;
  const said = saidOf(error.message);
  const remedy = remedies.get(said.kind);
  if (remedy === undefined) return said.kind === "" ? error : new Error(`${said.kind} Error: ${said.message}`);
  const place = said.position === undefined || sql === undefined ? undefined : placeOf(sql, said.position);
  const message = said.message.replaceAll(/!?\n/g, ". ").replace(/[!.]$/, "");
  return new QueryFailure({ message, remedy, place });
}

/** Where so many bytes of a query end. */
export function placeOf(sql: string, position: number): QueryPlace {
  const before = Buffer.from(sql).subarray(0, position).toString();
  const line = before.slice(before.lastIndexOf("\n") + 1);
  return { line: before.split("\n").length, character: [...line].length + 1 };
}

/** DuckDB says most of its errors as JSON, and a few as text. */
function saidOf(text: string): Said {
  const start = text.indexOf('{"exception_type"');
  const json = start < 0 ? undefined : parsed(text.slice(start));
  if (json) return json;
  const words = text.startsWith(beforeStatement) ? text.slice(beforeStatement.length) : text;
  const end = words.indexOf(" Error: ");
  return end < 0 ? { kind: "", message: words } : { kind: words.slice(0, end), message: words.slice(end + 8) };
}

function parsed(text: string): Said | undefined {
  try {
    const { exception_type: kind, exception_message: message, position } = JSON.parse(text);
    return { kind: String(kind), message: String(message), ...(position && { position: Number(position) }) };
  } catch {
    return undefined;
  }
}

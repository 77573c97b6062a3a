import type { FileFault, FileRule } from "../../errors.ts";
import type { SourceFile } from "../../gen/data_engine_pb.js";
import { quoteName } from "../duckdb/sql.ts";
import { isUnfit, kindOf, storedTypes, type TextType, textTypes } from "./csv-casts.ts";
import { lineOfOtherEnd, lineOfRecord } from "./line-of-record.ts";
import type { Reading, SourceColumn, Widened } from "./source.ts";

/** What a column becomes when a value does not fit that fits this. */
const wider: Readonly<Partial<Record<TextType, TextType>>> = {
  integer: "number",
  date: "date_time",
  date_time: "with_offset",
};
const maxShown = 60;

const shown = (text: string) => JSON.stringify(text.length > maxShown ? `${text.slice(0, maxShown)}…` : text);

/** The first value that a column cannot hold, or the type that holds it as well. */
export async function explainValue(
  file: SourceFile,
  column: SourceColumn,
  { reading, from }: { readonly reading: Reading; readonly from: string },
): Promise<FileFault | Widened | undefined> {
  const type = textTypes.get(column.type) ?? "string";
  const next = wider[type];
  const numbered = `SELECT row_number() OVER () AS record, ${quoteName(column.name)} AS text FROM ${from}`;
  const isLost = next ? isUnfit("text", next) : "true";
  const reader = await reading.database.connection.runAndReadAll(
    `SELECT record, text, ${isLost} FROM (${numbered}) WHERE ${isUnfit("text", type)} LIMIT 1`,
  );
  const [record, text, lost] = reader.getRows()[0] ?? [];
  if (typeof record !== "bigint" || typeof text !== "string") return undefined;
  if (next && lost === false) return { widened: { name: column.name, type: storedTypes[next], kind: kindOf(next) } };
  return {
    file: file.name,
    line: await lineOfRecord(file.path, Number(record)),
    column: column.name,
    rule: "type",
    message: `${shown(text)} is not of the type of its column, ${kindOf(type)}, which the values before it have`,
    remedy: "Correct the value, or put a text into one of the first rows of the column to make all of it text.",
  };
}

interface Rejection {
  readonly pattern: RegExp;
  readonly rule: FileRule;
  readonly message: string;
  readonly remedy: string;
}

/** What DuckDB says of a row, and what we say. */
const rejections: readonly Rejection[] = [
  {
    pattern: /unterminated quote|quote should be followed|unquoted value/i,
    rule: "quote",
    message: "A quote is not closed, or something follows a closed one",
    remedy: 'Put the whole value into quotes, and write each quote in it twice: "".',
  },
  {
    pattern: /Expected Number of Columns/i,
    rule: "values",
    message: "The line has more or fewer values than the header has names",
    remedy: "Give each line one value for each column; a missing one is empty.",
  },
  {
    pattern: /Invalid unicode|not utf-8/i,
    rule: "utf8",
    message: "The line is not text in UTF-8",
    remedy: "Save the file as UTF-8.",
  },
  {
    pattern: /Maximum line size/i,
    rule: "cell",
    message: "The line is longer than a line may be",
    remedy: "Keep large values out of the file, or check whether a quote is not closed.",
  },
];

interface Rejecting {
  readonly file: SourceFile;
  readonly reading: Reading;
  /** The table with further options. */
  readonly table: (more: string) => string;
}

/** A row that DuckDB cannot take apart, by its message; the table of rejected rows knows the column as well. */
export async function explainRejected(
  message: string,
  { file, reading, table }: Rejecting,
): Promise<FileFault | undefined> {
  if (message.includes("state machine reached an invalid state")) return await explainLineEnds(file);
  const line = /CSV Error on Line: (\d+)/.exec(message)?.[1];
  // Behind that it names its options, quotes among them.
  const [reason = ""] = message.split(/\nPossible (?:fixes|Solution)/);
  const found = line && rejections.find(({ pattern }) => pattern.test(reason));
  if (!found) return undefined;
  const { pattern, ...said } = found;
  const column = said.rule === "quote" ? await columnOf(reading, table) : undefined;
  return { file: file.name, line: Number(line), ...said, ...(column !== undefined && { column }) };
}

async function columnOf({ database }: Reading, table: Rejecting["table"]): Promise<string | undefined> {
  const { connection } = database;
  try {
    await connection.run(`SELECT count(*) FROM ${table(", store_rejects = true, rejects_limit = 1")}`);
    const reader = await connection.runAndReadAll(
      "SELECT column_name FROM reject_errors ORDER BY scan_id DESC, line LIMIT 1",
    );
    const [name] = reader.getRows()[0] ?? [];
    return typeof name === "string" ? name : undefined;
  } catch {
    // The line is what people need; not every fault is stored.
    return undefined;
  }
}

async function explainLineEnds(file: SourceFile): Promise<FileFault> {
  const line = await lineOfOtherEnd(file.path);
  return {
    file: file.name,
    ...(line !== undefined && { line }),
    rule: "syntax",
    message: "The line ends in another way than those before it, or its quotes do not match",
    remedy: "End each line in the same way, with LF or with CR LF.",
  };
}

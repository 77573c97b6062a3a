import { open, stat } from "node:fs/promises";
import { guessType, typeOfValue } from "@aiplatform/column-types";
import type { SourceFile } from "../../gen/data_engine_pb.js";
import { FaultError } from "../duckdb/failures.ts";
import { quoteName, quoteText } from "../duckdb/sql.ts";
import { castOf, kindOf, storedTypes, type TextType, textTypes } from "./csv-casts.ts";
import { explainRejected, explainValue } from "./csv-faults.ts";
import { type CsvHead, HeaderError, maxHeaderBytes, readHead } from "./csv-head.ts";
import type { Reading, Source, SourceColumn } from "./source.ts";

/** Rows from whose values types are guessed, and values of all columns together. */
const sampledRows = 20_480;
const sampledValues = 4_000_000;
const bufferBytes = 32 * 1_048_576;
const hasOffset = /(?:[Zz]|:\d\d[+-]\d\d(?::?\d\d)?|[.,]\d+[+-]\d\d(?::?\d\d)?)$/;

/** A CSV file: strict, with a header; types are those of the first rows. @throws FaultError */
export async function openCsv(file: SourceFile, reading: Reading): Promise<Source> {
  const head = await headOf(file);
  const { size } = await stat(file.path);
  const table = (more = "") => tableOf({ file, size, head }, reading, more);
  const from = table();
  const columns = await guessColumns(file, head, { reading, from, table });
  return {
    file,
    columns,
    select: (wanted, mark) => `SELECT ${wanted.map((each) => select(each, head, mark)).join(", ")} FROM ${from}`,
    async explain(message, wanted) {
      const index = Number(/\[file \d+\](\d+):/.exec(message)?.[1] ?? -1);
      const column = wanted.find(({ name }) => name === head.names[index]);
      if (column) return await explainValue(file, column, { reading, from });
      return await explainRejected(message, { file, reading, table });
    },
  };
}

async function headOf(file: SourceFile): Promise<CsvHead> {
  await using handle = await open(file.path);
  const beginning = Buffer.alloc(maxHeaderBytes);
  const { bytesRead } = await handle.read(beginning, 0, beginning.length, 0);
  try {
    return readHead(beginning.subarray(0, bytesRead));
  } catch (error) {
    if (!(error instanceof HeaderError)) throw error;
    const { rule, line, message, remedy } = error;
    throw new FaultError({ file: file.name, rule, line, message, remedy });
  }
}

interface CsvFile {
  readonly file: SourceFile;
  /** Bytes. */
  readonly size: number;
  readonly head: CsvHead;
}

/** Its rows as texts: DuckDB finds the values, and types are ours. */
function tableOf({ file: { path }, size, head }: CsvFile, { limits }: Reading, more: string): string {
  const columns = head.names.map((name) => `${quoteText(name)}: 'VARCHAR'`).join(", ");
  const lines = head.emptyLines > 0 ? `, skip = ${head.emptyLines}` : "";
  const format = `delim = ${quoteText(head.delimiter)}, quote = '"', escape = '"', header = true${lines}`;
  // A buffer is filled as a whole: for a thousand small files it would cost more than their rows.
  const lineBytes = Math.min(limits.maxCellBytes, size);
  const bounds = `max_line_size = ${lineBytes}, buffer_size = ${Math.max(Math.min(bufferBytes, size), lineBytes)}`;
  return `read_csv(${quoteText(path)}, auto_detect = false, strict_mode = true, ${format}, ${bounds}, columns = {${columns}}${more})`;
}

function select({ name, type }: SourceColumn, { names }: CsvHead, mark: string): string {
  const index = names.indexOf(name);
  const textType = textTypes.get(type) ?? "string";
  const cast = castOf(quoteName(name), textType, `${mark}${index}:`);
  return `${textTypes.has(type) ? cast : `CAST(${cast} AS ${type})`} AS ${quoteName(name)}`;
}

interface Opened {
  readonly reading: Reading;
  readonly from: string;
  /** The rows, with further options. */
  readonly table: (more: string) => string;
}

async function guessColumns(
  file: SourceFile,
  head: CsvHead,
  { reading, from, table }: Opened,
): Promise<SourceColumn[]> {
  const rows = Math.max(100, Math.min(sampledRows, Math.floor(sampledValues / head.names.length)));
  const { connection } = reading.database;
  const values = await connection
    .runAndReadAll(`SELECT * FROM ${from} LIMIT ${rows}`)
    .then((reader) => reader.getColumns())
    .catch(async (error: Error) => {
      const fault = await explainRejected(error.message, { file, reading, table });
      throw fault ? new FaultError(fault) : error;
    });
  return head.names.map((name, index) => {
    const texts = (values[index] ?? []).map((value) => (typeof value === "string" ? value : ""));
    const type = textTypeOf(texts);
    const isOpen = type === "string" && texts.every((text) => typeOfValue(text) === undefined);
    return { name, type: storedTypes[type], kind: kindOf(type), ...(isOpen && { isOpen }) };
  });
}

function textTypeOf(texts: readonly string[]): TextType {
  const type = guessType(texts);
  return type === "date_time" && texts.some((text) => hasOffset.test(text.trim())) ? "with_offset" : type;
}

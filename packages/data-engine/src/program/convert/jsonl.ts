import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";
import type { FileFault } from "../../errors.ts";
import type { SourceFile } from "../../gen/data_engine_pb.js";
import { describeColumns } from "../duckdb/describe.ts";
import { FaultError } from "../duckdb/failures.ts";
import { quoteName, quoteText } from "../duckdb/sql.ts";
import { scanLines } from "./jsonl-scan.ts";
import type { Reading, Source, SourceColumn } from "./source.ts";

/** Rows whose types the others have to have. */
const firstRows = 20_480;
/** Levels that become lists and structures; what is deeper is JSON in a text. */
const typedDepth = 8;

/**
 * A JSON object in each line. Types are those of all lines, so that no number is rounded and no key is left out; a column that is
 * something else in later lines than in the first ones is a fault. @throws FaultError
 */
export async function openJsonl(file: SourceFile, reading: Reading): Promise<Source> {
  const tooMuch = await scanLines(file, reading.limits);
  if (tooMuch) throw new FaultError(tooMuch);
  const early = await columnsOf(file, reading, firstRows);
  const columns = await columnsOf(file, reading, -1);
  const isMixed = (name: string) => columns.find((each) => each.name === name)?.type === "JSON";
  const turned = early.find(({ name, type }) => type !== "JSON" && isMixed(name));
  if (turned) throw new FaultError(await faultOfType(file, turned, reading));
  return {
    file,
    columns,
    select(wanted) {
      const selected = wanted.map(({ name, type }) => `CAST(${quoteName(name)} AS ${type}) AS ${quoteName(name)}`);
      return `SELECT ${selected.join(", ")} FROM ${typedTable(file, reading, columns)}`;
    },
    explain: (message) => faultOf(file, message),
  };
}

function optionsOf({ limits }: Reading): string {
  return `format = 'newline_delimited', maximum_object_size = ${limits.maxCellBytes}`;
}

function typedTable({ path }: SourceFile, reading: Reading, columns: readonly SourceColumn[]): string {
  const types = columns.map(({ name, type }) => `${quoteText(name)}: ${quoteText(type)}`);
  return `read_json(${quoteText(path)}, ${optionsOf(reading)}, columns = {${types.join(", ")}})`;
}

/** The columns that the first rows have; of all rows where `rows` is -1. */
async function columnsOf(file: SourceFile, reading: Reading, rows: number): Promise<SourceColumn[]> {
  const sample = `records = true, sample_size = ${rows}, maximum_depth = ${typedDepth}`;
  const table = `read_json(${quoteText(file.path)}, ${optionsOf(reading)}, ${sample})`;
  try {
    return await describeColumns(reading.database, `SELECT * FROM ${table}`);
  } catch (error) {
    const fault = error instanceof Error ? await faultOf(file, error.message) : undefined;
    throw fault ? new FaultError(fault) : error;
  }
}

/** Finds the first line whose value the type cannot hold, by reading the column with it. */
async function faultOfType(file: SourceFile, column: SourceColumn, reading: Reading): Promise<FileFault> {
  const fault = { file: file.name, column: column.name, rule: "type" as const };
  const said = {
    message: `A value is not of the type of its column, ${column.kind}, which the lines before it have`,
    remedy: "Give all values of the column one type; put numbers and others into texts where they stand side by side.",
  };
  try {
    const typed = `SELECT count(${quoteName(column.name)}) FROM ${typedTable(file, reading, [column])}`;
    await reading.database.connection.run(typed);
    return { ...fault, ...said };
  } catch (error) {
    const line = error instanceof Error ? lineIn(error.message) : undefined;
    return { ...fault, ...said, ...(line !== undefined && { line }) };
  }
}

function lineIn(message: string): number | undefined {
  const line = /in (?:line|record\/value) (\d+)/.exec(message)?.[1];
  return line === undefined ? undefined : Number(line);
}

/** Parts of DuckDB's messages about lines that are no JSON object, in lower case. */
const ofSyntax = ["malformed json", "json transform error", "to be a json", "invalid json", "not a json"] as const;

async function faultOf(file: SourceFile, message: string): Promise<FileFault | undefined> {
  const near = lineIn(message);
  const at = { file: file.name, ...(near !== undefined && { line: near }) };
  if (/utf-?8|unicode/i.test(message))
    return { ...at, rule: "utf8", message: "The line is not text in UTF-8", remedy: "Save the file as UTF-8." };
  if (message.includes("maximum_object_size"))
    return { ...at, rule: "cell", message: "The line is too long", remedy: "Keep large values out of the file." };
  const said = message.toLowerCase();
  if (!ofSyntax.some((part) => said.includes(part))) return undefined;
  const line = near === undefined ? undefined : ((await firstBadLine(file.path, near - 1)) ?? near);
  return {
    ...{ file: file.name, rule: "syntax", message: "The line is not one JSON object" },
    ...(line !== undefined && { line }),
    remedy: "Write one JSON object in each line, without line breaks within it.",
  };
}

/** The first line from this one on that is no JSON object: DuckDB tells of the line behind one that is cut. */
async function firstBadLine(path: string, from: number): Promise<number | undefined> {
  let number = 0;
  for await (const line of createInterface({ input: createReadStream(path), crlfDelay: Number.POSITIVE_INFINITY })) {
    number += 1;
    if (number < from || line.trim() === "") continue;
    try {
      const value: unknown = JSON.parse(line);
      if (typeof value !== "object" || value === null || Array.isArray(value)) return number;
    } catch {
      return number;
    }
  }
  return undefined;
}

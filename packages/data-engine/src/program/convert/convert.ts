import { stat } from "node:fs/promises";
import type { MessageInitShape } from "@bufbuild/protobuf";
import type { FileFault } from "../../errors.ts";
import type { Convert, ConvertedSchema, SourceFile } from "../../gen/data_engine_pb.js";
import type { Database } from "../duckdb/database.ts";
import { FaultError, LimitFailure } from "../duckdb/failures.ts";
import { writtenColumns } from "../duckdb/written-columns.ts";
import { openArrow } from "./arrow.ts";
import { openCsv } from "./csv.ts";
import { openJsonl } from "./jsonl.ts";
import { openParquet } from "./parquet.ts";
import type { Reading, Source, SourceColumn } from "./source.ts";
import { unify } from "./unify.ts";
import { unpacked } from "./unpack.ts";
import { type Pass, writeRows } from "./write-rows.ts";

/** Passes over the files after each of which a column has become wider. */
const maxPasses = 64;
/** Columns of all files together, which the query for their rows names. */
const maxSelected = 500_000;

const openers: Readonly<Record<string, (file: SourceFile, reading: Reading) => Promise<Source>>> = {
  csv: openCsv,
  jsonl: openJsonl,
  parquet: openParquet,
  arrow: openArrow,
};

export interface ConvertParts {
  readonly database: Database;
  readonly scratch: string;
  readonly check: () => void;
  readonly onProgress: (bytesRead: number, bytesTotal: number) => void;
}

/** Makes one Parquet file of all files. @throws FaultError, LimitFailure, an error of DuckDB */
export async function convert(
  { files, output, limits }: Convert,
  { database, scratch, check, onProgress }: ConvertParts,
): Promise<MessageInitShape<typeof ConvertedSchema>> {
  if (!limits) throw new Error("a conversion without limits");
  const reading: Reading = { database, limits, scratch, check };
  const sources: Source[] = [];
  for (const [index, file] of files.entries())
    sources.push(await openSource(await unpacked(file, index, reading), reading));
  const bytes = await Promise.all(sources.map(async ({ file }) => (await stat(file.path)).size));
  const bytesTotal = bytes.reduce((sum, each) => sum + each, 0);
  let columns = unified(sources);
  for (let pass = 0; ; pass++) {
    try {
      onProgress(0, bytesTotal);
      const rowCount = await writeRows({ sources, columns }, { database, scratch, output }, (share) =>
        onProgress(Math.floor(bytesTotal * share), bytesTotal),
      );
      onProgress(bytesTotal, bytesTotal);
      if (rowCount > limits.maxRows) throw new LimitFailure("rows", `There are more than ${limits.maxRows} rows`);
      return { rowCount, columns: await writtenColumns(database, output) };
    } catch (error) {
      if (!(error instanceof Error) || error instanceof LimitFailure || pass >= maxPasses) throw error;
      columns = await afterFault(error, { sources, columns });
    }
  }
}

async function openSource(file: SourceFile, reading: Reading): Promise<Source> {
  const { size } = await stat(file.path);
  if (size === 0)
    throw new FaultError({ file: file.name, rule: "empty", message: "The file is empty", remedy: "Upload it again." });
  const source = await openers[file.format]?.(file, reading);
  if (!source) throw new Error(`no reader of ${file.format}`);
  if (source.columns.length > reading.limits.maxColumns)
    throw new LimitFailure("columns", `${file.name} has more than ${reading.limits.maxColumns} columns`);
  return source;
}

/** Columns that hold the values of all files, in the order of the first one. @throws FaultError */
function unified(sources: readonly Source[]): SourceColumn[] {
  const [first, ...others] = sources;
  if (!first) throw new Error("a conversion without files");
  if (first.columns.length * sources.length > maxSelected)
    throw new LimitFailure("columns", `The files together have more than ${maxSelected} columns`);
  let columns = [...first.columns];
  for (const source of others) {
    const names = new Map(source.columns.map((column) => [column.name, column]));
    const extra = source.columns.find(({ name }) => !columns.some((column) => column.name === name));
    if (extra)
      throw new FaultError(
        faultOfColumns(source, extra.name, `It has a column ${extra.name}, and ${first.file.name} has none`),
      );
    columns = columns.map((column) => {
      const other = names.get(column.name);
      if (!other)
        throw new FaultError(
          faultOfColumns(source, column.name, `It has no column ${column.name}, and ${first.file.name} has one`),
        );
      const both = unify(column, other);
      if (both) return both;
      throw new FaultError({
        file: source.file.name,
        column: column.name,
        rule: "type",
        message: `The column is of the type ${other.kind}, and in the files before it of the type ${column.kind}`,
        remedy: "Give the column one type in all files.",
      });
    });
  }
  return columns;
}

function faultOfColumns({ file }: Source, column: string, message: string): FileFault {
  return { file: file.name, column, rule: "columns", message, remedy: "Give all files of a version the same columns." };
}

/** The columns to try next, after a value that did not fit. @throws FaultError, or the error where no file explains it */
async function afterFault(error: Error, { sources, columns }: Pass): Promise<SourceColumn[]> {
  const source = sourceOf(error.message, sources);
  const explained = await source?.explain(error.message, columns);
  if (!explained) throw error;
  if (!("widened" in explained)) throw new FaultError(explained);
  const { widened } = explained;
  return columns.map((column) => (column.name === widened.name ? widened : column));
}

/** The file that a message tells of: by our mark, or by its path. */
function sourceOf(message: string, sources: readonly Source[]): Source | undefined {
  const index = /\[file (\d+)\]/.exec(message)?.[1];
  if (index !== undefined) return sources[Number(index)];
  return sources.find(({ file }) => message.includes(file.path)) ?? (sources.length === 1 ? sources[0] : undefined);
}

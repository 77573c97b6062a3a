import type { FileFault, FileRule } from "../../errors.ts";
import type { SourceFile } from "../../gen/data_engine_pb.js";
import { describeColumns } from "../duckdb/describe.ts";
import { FaultError } from "../duckdb/failures.ts";
import { parquetOf } from "../duckdb/sql.ts";
import { selectColumns } from "./select-columns.ts";
import type { Reading, Source } from "./source.ts";

interface Damage {
  readonly pattern: RegExp;
  readonly rule: FileRule;
  readonly message: string;
  readonly remedy: string;
}

const uploadAgain = "Write the file again and upload all of it.";

/** What DuckDB says of a file, and what we say; the last one fits all. */
const damages: readonly Damage[] = [
  {
    pattern: /encrypt/i,
    rule: "encrypted",
    message: "The file is encrypted",
    remedy: "Write it without encryption; the platform encrypts nothing for you and has no key of yours.",
  },
  {
    pattern: /No magic bytes|too small/,
    rule: "damaged",
    message: "The file does not end as a Parquet file ends: it is cut, or something else",
    remedy: uploadAgain,
  },
  { pattern: /[Ff]ooter/, rule: "damaged", message: "The footer of the file is damaged", remedy: uploadAgain },
  {
    pattern: /Not implemented|unsupported|Unsupported/,
    rule: "unsupported",
    message: "The file uses a part of Parquet that cannot be read",
    remedy: "Write it with other types or another compression, such as zstd.",
  },
  { pattern: /./, rule: "damaged", message: "The file cannot be read as Parquet", remedy: uploadAgain },
];

/** Messages that tell of the request, not of the file. */
const notOfFile = /INTERRUPT|Out of Memory|could not allocate|No space left|File too large|max_temp_directory_size/i;

/** A Parquet file, with its own types. @throws FaultError */
export async function openParquet(file: SourceFile, { database }: Reading): Promise<Source> {
  const from = parquetOf([file.path]);
  try {
    const columns = await describeColumns(database, `SELECT * FROM ${from}`);
    return {
      file,
      columns,
      select(wanted) {
        return selectColumns(from, columns, wanted);
      },
      explain: async (message) => faultOf(file, message),
    };
  } catch (error) {
    const fault = error instanceof Error ? faultOf(file, error.message) : undefined;
    throw fault ? new FaultError(fault) : error;
  }
}

function faultOf(file: SourceFile, text: string): FileFault | undefined {
  if (notOfFile.test(text)) return undefined;
  const found = damages.find(({ pattern }) => pattern.test(text));
  if (!found) return undefined;
  const { pattern: _, ...said } = found;
  return { file: file.name, ...said };
}

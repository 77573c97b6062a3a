import type { Column } from "../dataset.ts";
import { readCsv } from "./read-csv.ts";
import { readParquet } from "./read-parquet.ts";

/** The beginning of a file, or the whole. */
export interface Sample {
  format: "csv" | "parquet";
  bytes: Uint8Array;
}

const readers = { csv: readCsv, parquet: readParquet };

/** The columns of the file. Throws InvalidFieldsError when it cannot be read. */
export function readSample({ format, bytes }: Sample): Column[] {
  return readers[format](bytes);
}

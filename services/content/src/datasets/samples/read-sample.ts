import type { Column, Sample } from "../dataset.ts";
import { readCsv } from "./read-csv.ts";
import { readParquet } from "./read-parquet.ts";

const readers = { csv: readCsv, parquet: readParquet };

/** The columns of the file. @throws InvalidFieldsError when it cannot be read */
export function readSample({ format, bytes }: Sample): Column[] {
  return readers[format](bytes);
}

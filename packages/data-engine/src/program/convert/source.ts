import type { FileFault } from "../../errors.ts";
import type { ConvertLimits, SourceFile } from "../../gen/data_engine_pb.js";
import type { Database } from "../duckdb/database.ts";
import type { DescribedColumn } from "../duckdb/describe.ts";

/** A column of a file before it is stored. */
export interface SourceColumn extends DescribedColumn {
  /** No value of it was seen: it takes whatever type it has in other files. */
  readonly isOpen?: boolean;
}

/** A file whose columns are known. */
export interface Source {
  readonly file: SourceFile;
  readonly columns: readonly SourceColumn[];
  /** A query for its rows, in the order of the file, with these columns. `mark`: begins the message of each fault of this file. */
  readonly select: (columns: readonly SourceColumn[], mark: string) => string;
  /** What was wrong with the file when its query for these columns ended with this message. Undefined: nothing that it knows. */
  readonly explain: (message: string, columns: readonly SourceColumn[]) => Promise<FileFault | Widened | undefined>;
}

/** The file can be read after all, with a wider type of this column. */
export interface Widened {
  readonly widened: SourceColumn;
}

/** What files are read with. */
export interface Reading {
  readonly database: Database;
  readonly limits: ConvertLimits;
  /** Folder for what is unpacked. */
  readonly scratch: string;
  /** Throws once the request was told to end. */
  readonly check: () => void;
}

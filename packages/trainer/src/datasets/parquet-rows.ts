import { zstdDecompressSync } from "node:zlib";
import {
  type AsyncBuffer,
  asyncBufferFromFile,
  type Compressors,
  type FileMetaData,
  parquetMetadataAsync,
  parquetReadObjects,
  parquetSchema,
} from "hyparquet";
import { DatasetError } from "./run-dataset.ts";

/** A row by its columns. */
export type Row = Record<string, unknown>;

/** hyparquet brings Snappy; the platform writes Zstandard, which Node has. */
const compressors: Compressors = {
  ZSTD: (input, maxOutputLength) => zstdDecompressSync(input, { maxOutputLength }),
};

/** The rows of a Parquet file. */
export class ParquetRows {
  readonly #name: string;
  readonly #file: AsyncBuffer;
  readonly #metadata: FileMetaData;

  private constructor(name: string, file: AsyncBuffer, metadata: FileMetaData) {
    this.#name = name;
    this.#file = file;
    this.#metadata = metadata;
  }

  /** `name`: of the dataset, for errors. @throws DatasetError where it is no Parquet file */
  static open(path: string, name: string): Promise<ParquetRows> {
    return readable(name, async () => {
      const file = await asyncBufferFromFile(path);
      return new ParquetRows(name, file, await parquetMetadataAsync(file));
    });
  }

  /**
   * The rows of each row group, as one list. At most one is in memory.
   * @throws DatasetError for a column that there is none of, and where rows cannot be read
   */
  async *groups(columns: readonly string[] | undefined): AsyncGenerator<Row[]> {
    this.#assertThere(columns ?? []);
    const chosen = columns && { columns: [...columns] };
    const source = { file: this.#file, metadata: this.#metadata, compressors, utf8: false, ...chosen };
    let rowStart = 0;
    for (const { num_rows } of this.#metadata.row_groups) {
      const rowEnd = rowStart + Number(num_rows);
      const part = { ...source, rowStart, rowEnd };
      yield (await readable(this.#name, () => parquetReadObjects(part))).map(plainMembers);
      rowStart = rowEnd;
    }
  }

  #assertThere(columns: readonly string[]): void {
    const known = parquetSchema(this.#metadata).children.map(({ element }) => element.name);
    const unknown = columns.find((column) => !known.includes(column));
    if (unknown === undefined) return;
    throw new DatasetError(`"${this.#name}" has no column "${unknown}"; its columns: ${known.join(", ")}`);
  }
}

async function readable<T>(name: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new DatasetError(`the rows of "${name}" cannot be read (${why}): read its path() with another library`, {
      cause: error,
    });
  }
}

function plainMembers(members: object): Row {
  return Object.fromEntries(Object.entries(members).map(([name, value]) => [name, plain(value)]));
}

/** Whole numbers as numbers, where no digit is lost. */
function plain(value: unknown): unknown {
  if (typeof value === "bigint") {
    const number = Number(value);
    return Number.isSafeInteger(number) ? number : value;
  }
  if (Array.isArray(value)) return value.map(plain);
  if (value === null || typeof value !== "object" || Object.getPrototypeOf(value) !== Object.prototype) return value;
  return plainMembers(value);
}

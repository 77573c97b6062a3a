import { zstdDecompressSync } from "node:zlib";
import {
  asyncBufferFromFile,
  type Compressors,
  parquetMetadataAsync,
  parquetReadObjects,
  parquetSchema,
} from "hyparquet";

/** A row by its columns. */
export type Row = Record<string, unknown>;

/** hyparquet brings Snappy; the platform writes Zstandard, which Node has. */
const compressors: Compressors = {
  ZSTD: (input, maxOutputLength) => zstdDecompressSync(input, { maxOutputLength }),
};

/** The rows of each row group, as one list. At most one is in memory. */
export async function* rowGroups(path: string, columns: readonly string[] | undefined): AsyncGenerator<Row[]> {
  const file = await asyncBufferFromFile(path);
  const metadata = await parquetMetadataAsync(file);
  const chosen = columns && { columns: [...columns] };
  let rowStart = 0;
  for (const { num_rows } of metadata.row_groups) {
    const rowEnd = rowStart + Number(num_rows);
    const read = { file, metadata, compressors, utf8: false, ...chosen };
    const rows = await parquetReadObjects({ ...read, rowStart, rowEnd });
    yield rows.map((row) => Object.fromEntries(Object.entries(row).map(([name, value]) => [name, plain(value)])));
    rowStart = rowEnd;
  }
}

/** Names of the columns, in their order. */
export async function columnsOf(path: string): Promise<string[]> {
  const metadata = await parquetMetadataAsync(await asyncBufferFromFile(path));
  return parquetSchema(metadata).children.map(({ element }) => element.name);
}

/** Whole numbers as numbers, where no digit is lost. */
function plain(value: unknown): unknown {
  if (typeof value === "bigint") {
    const number = Number(value);
    return Number.isSafeInteger(number) ? number : value;
  }
  if (Array.isArray(value)) return value.map(plain);
  if (value === null || typeof value !== "object" || Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, plain(member)]));
}

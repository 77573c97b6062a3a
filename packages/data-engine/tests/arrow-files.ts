import { zstdCompressSync } from "node:zlib";
import * as arrow from "@uwdata/flechette";

export type Columns = [name: string, values: unknown[], type: arrow.DataType][];

arrow.setCompressionCodec(arrow.CompressionType.ZSTD, {
  encode: (bytes) => zstdCompressSync(bytes),
  decode: () => {
    throw new Error("the engine reads what is compressed");
  },
});

interface Written {
  readonly format?: "file" | "stream";
  readonly rows?: number;
  readonly codec?: arrow.CompressionType_ | null;
}

/** An Arrow file of columns. `rows`: of each record batch. */
export function arrowFile(columns: Columns, { format = "file", rows = 1_000, codec = null }: Written = {}): Buffer {
  const built = columns.map(([name, values, type]): [string, arrow.Column<unknown>] => {
    return [name, arrow.columnFromArray(values, type, { maxBatchRows: rows })];
  });
  const bytes = arrow.tableToIPC(arrow.tableFromColumns(built), { format, codec });
  if (!bytes) throw new Error("no bytes were written");
  return Buffer.from(bytes);
}

/** A column whose buffers are given as they are, in one record batch of the stream form. */
export function rawArrow(
  type: arrow.DataType,
  parts: Omit<ConstructorParameters<typeof arrow.Batch>[0], "type">,
): Buffer {
  const batch = new arrow.Batch<unknown>({ ...parts, type });
  return Buffer.from(arrow.tableToIPC(arrow.tableFromColumns([["a", new arrow.Column([batch], type)]]), {}) ?? []);
}

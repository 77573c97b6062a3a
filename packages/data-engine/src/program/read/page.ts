import { create } from "@bufbuild/protobuf";
import {
  DuckDBArrayValue,
  DuckDBBlobValue,
  DuckDBListValue,
  DuckDBMapValue,
  type DuckDBResult,
  DuckDBStructValue,
  type DuckDBValue,
} from "@duckdb/node-api";
import { ColumnSchema, type Page, PageSchema } from "../../gen/data_engine_pb.js";
import { arrowStream, type NamedType } from "../arrow/arrow-stream.ts";
import { kindOf } from "../duckdb/columns.ts";
import { typeText } from "../duckdb/describe.ts";
import { jsonOf } from "../duckdb/values.ts";

export interface PageBounds {
  readonly limit: number;
  readonly maxBytes: number;
  /** json, or arrow. */
  readonly format: string;
}

/** The rows of a result that fit, as a page. */
export async function pageOf(result: DuckDBResult, bounds: PageBounds): Promise<Page> {
  const types = result
    .deduplicatedColumnNames()
    .map((name, index): NamedType => ({ name, type: result.columnType(index) }));
  const columns = types.map(({ name, type }) =>
    create(ColumnSchema, { name, type: typeText(type), kind: kindOf(type), nullable: true }),
  );
  const page = await (bounds.format === "arrow" ? arrowRows : jsonRows)(result, types, bounds);
  return create(PageSchema, { columns, ...page });
}

type Rows = Pick<Page, "rowCount" | "hasMore" | "isCut" | "body">;

/** An array of objects. */
async function jsonRows(result: DuckDBResult, types: readonly NamedType[], bounds: PageBounds): Promise<Rows> {
  const keys = types.map(({ name }) => JSON.stringify(name));
  const { rows: texts, ...page } = await fitting(result, bounds, (row) => {
    const text = `{${row.map((value, index) => `${keys[index]}:${JSON.stringify(jsonOf(value))}`).join(",")}}`;
    return { kept: text, bytes: Buffer.byteLength(text) + 1 };
  });
  return { ...page, rowCount: texts.length, body: Buffer.from(`[${texts.join(",\n")}]`) };
}

/** An Arrow IPC stream, whose schema says in its metadata whether rows follow. */
async function arrowRows(result: DuckDBResult, types: readonly NamedType[], bounds: PageBounds): Promise<Rows> {
  const bytesOfRow = (row: readonly DuckDBValue[]) => row.reduce<number>((sum, value) => sum + bytesOf(value), 0);
  const { rows, ...page } = await fitting(result, bounds, (row) => ({ kept: row, bytes: bytesOfRow(row) }));
  const body = arrowStream(types, rows, { has_more: String(page.hasMore) });
  return { ...page, rowCount: rows.length, body };
}

interface Fitting<T> extends Pick<Page, "hasMore" | "isCut"> {
  readonly rows: T[];
}

/** The first rows that fit. A row that is larger than a page alone is a page of its own, so that reading always goes on. */
async function fitting<T>(
  result: DuckDBResult,
  { limit, maxBytes }: PageBounds,
  measured: (row: DuckDBValue[]) => { readonly kept: T; readonly bytes: number },
): Promise<Fitting<T>> {
  const rows: T[] = [];
  let total = 2;
  for (let chunk = await result.fetchChunk(); chunk && chunk.rowCount > 0; chunk = await result.fetchChunk()) {
    for (const row of chunk.getRows()) {
      if (rows.length === limit) return { rows, hasMore: true, isCut: false };
      const { kept, bytes } = measured(row);
      total += bytes;
      if (total > maxBytes && rows.length > 0) return { rows, hasMore: true, isCut: true };
      rows.push(kept);
    }
  }
  return { rows, hasMore: false, isCut: false };
}

/** Bytes of a number of 64 bits, and of any other value at most. */
const bytesOfNumber = 9;
const bytesOfOne = 16;
/** Of the place where a text, a list or a map begins, and of whether a value is there. */
const bytesOfPlace = 5;

/** What a value takes in buffers of Arrow, at most. */
function bytesOf(value: DuckDBValue): number {
  if (typeof value === "string") return bytesOfPlace + Buffer.byteLength(value);
  if (value instanceof DuckDBBlobValue) return bytesOfPlace + value.bytes.length;
  if (value instanceof DuckDBListValue || value instanceof DuckDBArrayValue) return bytesOfPlace + sumOf(value.items);
  if (value instanceof DuckDBStructValue) return bytesOfPlace + sumOf(Object.values(value.entries));
  if (value instanceof DuckDBMapValue)
    return bytesOfPlace + sumOf(value.entries.flatMap(({ key, value }) => [key, value]));
  if (typeof value === "number") return bytesOfNumber;
  return bytesOfOne;
}

const sumOf = (values: readonly DuckDBValue[]) => values.reduce<number>((sum, value) => sum + bytesOf(value), 0);

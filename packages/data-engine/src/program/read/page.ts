import { create } from "@bufbuild/protobuf";
import {
  DuckDBArrayType,
  DuckDBArrayValue,
  DuckDBBlobValue,
  DuckDBListType,
  DuckDBListValue,
  DuckDBMapType,
  DuckDBMapValue,
  type DuckDBResult,
  DuckDBStructType,
  DuckDBStructValue,
  type DuckDBType,
  type DuckDBValue,
} from "@duckdb/node-api";
import { ColumnSchema, type Page, PageSchema } from "../../gen/data_engine_pb.js";
import { arrowStream, type NamedType } from "../arrow/arrow-stream.ts";
import { arrowText } from "../arrow/arrow-types.ts";
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
  const bytesOfRow = (row: readonly DuckDBValue[]) =>
    types.reduce((sum, { type }, index) => sum + bytesOf(row[index] ?? null, type), 0);
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

/** Bytes of a number of 64 bits, and of any other value without a length of its own at most. */
const bytesOfNumber = 9;
const bytesOfOne = 16;
/** Of the place where a text, a list or a map begins, and of whether a value is there. */
const bytesOfPlace = 5;

/** What a value takes in buffers of Arrow, at most. */
function bytesOf(value: DuckDBValue, type: DuckDBType): number {
  // Arrays and structures have buffers for their parts also where they are missing.
  if (type instanceof DuckDBArrayType)
    return value instanceof DuckDBArrayValue
      ? bytesOfPlace + sumOf(value.items, type.valueType)
      : bytesOfPlace + type.length * bytesOf(null, type.valueType);
  if (type instanceof DuckDBStructType) {
    const entries = value instanceof DuckDBStructValue ? value.entries : {};
    return type.entryTypes.reduce(
      (sum, part, index) => sum + bytesOf(entries[type.entryNames[index] ?? ""] ?? null, part),
      bytesOfPlace,
    );
  }
  if (value === null) return bytesOfOne;
  if (typeof value === "number") return bytesOfNumber;
  if (type instanceof DuckDBListType && value instanceof DuckDBListValue)
    return bytesOfPlace + sumOf(value.items, type.valueType);
  if (type instanceof DuckDBMapType && value instanceof DuckDBMapValue)
    return value.entries.reduce(
      (sum, entry) => sum + bytesOf(entry.key, type.keyType) + bytesOf(entry.value, type.valueType),
      bytesOfPlace,
    );
  if (value instanceof DuckDBBlobValue) return bytesOfPlace + value.bytes.length;
  const text = typeof value === "string" ? value : arrowText(value, type);
  return text === undefined ? bytesOfOne : bytesOfPlace + Buffer.byteLength(text);
}

const sumOf = (values: readonly DuckDBValue[], type: DuckDBType) =>
  values.reduce<number>((sum, value) => sum + bytesOf(value, type), 0);

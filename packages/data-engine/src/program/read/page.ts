import { create } from "@bufbuild/protobuf";
import type { DuckDBResult } from "@duckdb/node-api";
import { ColumnSchema, type Page, PageSchema } from "../../gen/data_engine_pb.js";
import { kindOf } from "../duckdb/columns.ts";
import { typeText } from "../duckdb/describe.ts";
import { jsonOf } from "./values.ts";

export interface PageBounds {
  readonly limit: number;
  readonly maxBytes: number;
}

/** The rows of a result that fit, as a page. */
export async function pageOf(result: DuckDBResult, bounds: PageBounds): Promise<Page> {
  const columns = result.deduplicatedColumnNames().map((name, index) => {
    const type = result.columnType(index);
    return create(ColumnSchema, { name, type: typeText(type), kind: kindOf(type), nullable: true });
  });
  const page = await jsonRows(result, bounds);
  return create(PageSchema, { columns, ...page });
}

type Rows = Pick<Page, "rowCount" | "hasMore" | "isCut" | "body">;

/** An array of objects. A row that is larger than a page alone is a page of its own, so that reading always goes on. */
async function jsonRows(result: DuckDBResult, { limit, maxBytes }: PageBounds): Promise<Rows> {
  const keys = result.deduplicatedColumnNames().map((name) => JSON.stringify(name));
  const texts: string[] = [];
  let bytes = 2;
  for (let chunk = await result.fetchChunk(); chunk && chunk.rowCount > 0; chunk = await result.fetchChunk()) {
    for (const row of chunk.getRows()) {
      if (texts.length === limit) return rowsOf(texts, { hasMore: true, isCut: false });
      const text = `{${row.map((value, index) => `${keys[index]}:${JSON.stringify(jsonOf(value))}`).join(",")}}`;
      bytes += Buffer.byteLength(text) + 1;
      if (bytes > maxBytes && texts.length > 0) return rowsOf(texts, { hasMore: true, isCut: true });
      texts.push(text);
    }
  }
  return rowsOf(texts, { hasMore: false, isCut: false });
}

function rowsOf(texts: readonly string[], ending: Pick<Rows, "hasMore" | "isCut">): Rows {
  return { rowCount: texts.length, body: Buffer.from(`[${texts.join(",\n")}]`), ...ending };
}

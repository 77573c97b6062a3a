import { type FileHandle, open } from "node:fs/promises";
import { create } from "@bufbuild/protobuf";
import { type FindNearest, type Page, PageSchema } from "../../gen/data_engine_pb.js";
import type { Database } from "../duckdb/database.ts";
import { type CellFile, readHead } from "./cell-file.ts";
import { keptRows } from "./kept-rows.ts";
import { searchCells } from "./search-cells.ts";

/** Finds nearest vectors in files of cells, and remembers the head of the last file. */
export class CellReader {
  #last: { readonly key: string; readonly cells: CellFile } | undefined;

  /** @throws an error of DuckDB, and where it is no such file */
  async find(
    database: Database,
    { cells: path, vector, limit, exceptRow, file: rowsFile, where, rows }: FindNearest,
    check: () => void,
  ): Promise<Page> {
    await using file = await open(path);
    const head = await this.#headOf(path, file);
    const kept = where && (await keptRows(database, { file: rowsFile, where, rows: Number(rows) }));
    const except = exceptRow === undefined ? undefined : Number(exceptRow);
    const found = await searchCells({ file, cells: head }, { vector, limit, exceptRow: except, kept }, check);
    return create(PageSchema, { rowCount: found.length, body: Buffer.from(JSON.stringify(found)) });
  }

  async #headOf(path: string, file: FileHandle): Promise<CellFile> {
    const { size, mtimeMs, ino } = await file.stat();
    const key = `${path} ${size} ${mtimeMs} ${ino}`;
    if (this.#last?.key !== key) this.#last = { key, cells: await readHead(file) };
    return this.#last.cells;
  }
}

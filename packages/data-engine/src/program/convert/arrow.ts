import { randomUUID } from "node:crypto";
import { join } from "node:path";
import type { SourceFile } from "../../gen/data_engine_pb.js";
import { ArrowFault } from "../arrow/arrow-fault.ts";
import { ArrowRows } from "../arrow/arrow-rows.ts";
import { describeColumns } from "../duckdb/describe.ts";
import { FaultError, LimitFailure } from "../duckdb/failures.ts";
import { parquetOf } from "../duckdb/sql.ts";
import { StagedRows } from "./arrow-stage.ts";
import { selectColumns } from "./select-columns.ts";
import type { Reading, Source } from "./source.ts";

/** An Arrow file, with its own types. Its rows are put into Parquet first, which DuckDB reads. @throws FaultError */
export async function openArrow(file: SourceFile, reading: Reading): Promise<Source> {
  const { limits, database, check } = reading;
  const rows = new ArrowRows(file.path, limits.maxCellBytes, check);
  try {
    const schema = await rows.schema();
    const parts = join(reading.scratch, `arrow-${randomUUID()}`);
    if (schema.length > limits.maxColumns)
      throw new LimitFailure("columns", `${file.name} has more than ${limits.maxColumns} columns`);
    await using staged = await StagedRows.open(database, schema, parts);
    for await (const chunk of rows.chunks()) {
      check();
      await staged.append(chunk);
      if (staged.rowCount > limits.maxRows)
        throw new LimitFailure("rows", `There are more than ${limits.maxRows} rows`);
    }
    const from = parquetOf(await staged.finish());
    const open = new Set(schema.filter(({ column }) => column.isOpen).map(({ name }) => name));
    const described = await describeColumns(database, `SELECT * FROM ${from}`);
    const columns = described.map((column) => ({ ...column, isOpen: open.has(column.name) }));
    return {
      ...{ file, columns },
      select: (wanted) => selectColumns(from, columns, wanted),
      // Its values have been looked at one by one.
      explain: async () => undefined,
    };
  } catch (error) {
    if (!(error instanceof ArrowFault)) throw error;
    const { rule, message, remedy } = error;
    const { place, column } = rows.place;
    const said = place === "" ? message : `${message} (${place})`;
    throw new FaultError({ file: file.name, ...(column !== undefined && { column }), rule, message: said, remedy });
  } finally {
    await rows.close();
  }
}

import { type DuckDBType, DuckDBTypeId } from "@duckdb/node-api";
import type { ColumnKind } from "../../requests.ts";

const { BOOLEAN, DATE, BLOB, BIT, LIST, ARRAY, STRUCT, UNION, MAP, FLOAT, DOUBLE, DECIMAL } = DuckDBTypeId;

/** The types of each kind; a type that is not here is a string. */
const typesOf: Readonly<Partial<Record<ColumnKind, readonly DuckDBTypeId[]>>> = {
  boolean: [BOOLEAN],
  integer: [
    ...[DuckDBTypeId.TINYINT, DuckDBTypeId.SMALLINT, DuckDBTypeId.INTEGER, DuckDBTypeId.BIGINT, DuckDBTypeId.HUGEINT],
    ...[DuckDBTypeId.UTINYINT, DuckDBTypeId.USMALLINT, DuckDBTypeId.UINTEGER, DuckDBTypeId.UBIGINT],
    ...[DuckDBTypeId.UHUGEINT, DuckDBTypeId.BIGNUM],
  ],
  number: [FLOAT, DOUBLE, DECIMAL],
  date: [DATE],
  date_time: [
    ...[DuckDBTypeId.TIMESTAMP, DuckDBTypeId.TIMESTAMP_S, DuckDBTypeId.TIMESTAMP_MS, DuckDBTypeId.TIMESTAMP_NS],
    DuckDBTypeId.TIMESTAMP_TZ,
  ],
  binary: [BLOB, BIT],
  list: [LIST, ARRAY],
  struct: [STRUCT, UNION],
  map: [MAP],
};

const kinds = new Map(
  Object.entries(typesOf).flatMap(([kind, ids]) => ids.map((id) => [id, kind as ColumnKind] as const)),
);

/** What a column of this type holds. */
export const kindOf = (type: DuckDBType): ColumnKind => kinds.get(type.typeId) ?? "string";

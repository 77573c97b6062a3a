import { blobValue, type DuckDBValue } from "@duckdb/node-api";
import type { Value } from "../../gen/data_engine_pb.js";

/** A parameter as DuckDB binds it. */
export function parameterOf({ kind }: Value): DuckDBValue {
  if (kind.case === undefined || kind.case === "null") return null;
  return kind.case === "binary" ? blobValue(kind.value) : kind.value;
}

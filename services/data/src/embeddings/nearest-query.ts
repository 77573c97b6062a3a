import type { RowsRequest, Value, VectorMetric } from "@aiplatform/data-engine";

/** What is searched, and for what. */
export interface NearestSearch {
  metric: VectorMetric;
  dimensions: number;
  vector: readonly number[];
  /** Over the columns of the version. */
  where: RowsRequest["where"];
  /** A row that is not found. */
  exceptRow: number | undefined;
  limit: number;
}

const functions: Readonly<Record<VectorMetric, string>> = {
  cosine: "array_cosine_distance",
  l2: "array_distance",
  dot: "array_negative_inner_product",
};

/**
 * SQL over the views `vectors` and, with a condition, `version_rows`, which have their rows in the same order. The condition is computed
 * among the columns of the version alone, so that no name of theirs meets one of ours.
 */
export function nearestQuery(search: NearestSearch): { sql: string; parameters: Value[] } {
  const { metric, dimensions, vector, where, exceptRow = -1, limit } = search;
  const parameters = [...(where?.parameters ?? []), JSON.stringify(vector), exceptRow];
  const [wanted, except] = [`$${parameters.length - 1}`, `$${parameters.length}`];
  const type = `FLOAT[${dimensions}]`;
  const distance = `${functions[metric]}(CAST(v.vector AS ${type}), CAST(CAST(${wanted} AS VARCHAR) AS ${type}))`;
  const kept = where
    ? ` POSITIONAL JOIN (SELECT (${where.sql}\n) AS is_kept FROM version_rows) AS r WHERE r.is_kept`
    : "";
  const distances = `SELECT v."row" AS place, CAST(${distance} AS DOUBLE) AS distance FROM vectors AS v${kept}`;
  const found = `place <> CAST(${except} AS BIGINT) AND isfinite(distance)`;
  const sql = `SELECT place AS "row", distance FROM (${distances}) WHERE ${found} ORDER BY distance, place LIMIT ${limit}`;
  return { sql, parameters };
}

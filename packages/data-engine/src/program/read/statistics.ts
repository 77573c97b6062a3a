import type { MessageInitShape } from "@bufbuild/protobuf";
import { DuckDBListValue, DuckDBMapValue, type DuckDBValue } from "@duckdb/node-api";
import type { ComputeStatistics, StatisticsSchema } from "../../gen/data_engine_pb.js";
import type { ColumnStatistics, JsonValue } from "../../requests.ts";
import type { Database } from "../duckdb/database.ts";
import { type DescribedColumn, describeColumns } from "../duckdb/describe.ts";
import { unknownColumn } from "../duckdb/query-failure.ts";
import { parquetOf, quoteName, quoteTexts } from "../duckdb/sql.ts";
import { jsonOf } from "../duckdb/values.ts";

const quantiles = [0.05, 0.25, 0.5, 0.75, 0.95];
const maxBins = 20;
const topValues = 10;
/** Distinct values of a column up to which they are counted, by the estimate. */
const maxCounted = 100_000;
/** Candidates among which the most frequent values are counted. */
const candidates = 30;
/** Columns of one query: each has a dozen aggregates, whose states stand in memory together. */
const columnsAtOnce = 50;
/** Characters of a text that is shown as a value. */
const maxText = 200;

/** Statistics of each column, in two queries for every fifty columns. @throws QueryFailure a column that is not there */
export async function computeStatistics(
  database: Database,
  { files, columns: wanted }: ComputeStatistics,
): Promise<MessageInitShape<typeof StatisticsSchema>> {
  const from = parquetOf(files);
  const all = await describeColumns(database, `SELECT * FROM ${from}`);
  const columns = wanted.length === 0 ? all : wanted.map((name) => columnOf(all, name));
  const found: ColumnStatistics[] = [];
  for (let at = 0; at < columns.length; at += columnsAtOnce)
    found.push(...(await statisticsOf(database, from, columns.slice(at, at + columnsAtOnce))));
  const reader = await database.connection.runAndReadAll(`SELECT count(*) FROM ${from}`);
  const count = reader.getRows()[0]?.[0];
  return { rowCount: typeof count === "bigint" ? count : 0n, columns: Buffer.from(JSON.stringify(found)) };
}

function columnOf(columns: readonly DescribedColumn[], name: string): DescribedColumn {
  const column = columns.find((each) => each.name === name);
  if (!column) throw unknownColumn(name);
  return column;
}

const isNumber = ({ kind }: DescribedColumn) => kind === "integer" || kind === "number";
const isTime = ({ kind }: DescribedColumn) => kind === "date" || kind === "date_time";
/** Whether single values of it are compared and counted. */
const isSimple = ({ kind }: DescribedColumn) => !["list", "struct", "map", "binary"].includes(kind);

/** A column as a number, for bins and quantiles: seconds since 1970 of a time. NaN and infinities have no place among them. */
function asNumber(column: DescribedColumn): string {
  const name = quoteName(column.name);
  if (isTime(column)) return `epoch(${name})`;
  return `CASE WHEN isfinite(CAST(${name} AS DOUBLE)) THEN CAST(${name} AS DOUBLE) END`;
}

function aggregatesOf(column: DescribedColumn): string[] {
  const name = quoteName(column.name);
  const short = column.kind === "string" ? `left(CAST(${name} AS VARCHAR), ${maxText})` : name;
  return [
    `count(*) - count(${name})`,
    isSimple(column) ? `approx_count_distinct(${name})` : "NULL",
    isSimple(column) ? `min(${short})` : "NULL",
    isSimple(column) ? `max(${short})` : "NULL",
    isNumber(column) ? `avg(${asNumber(column)})` : "NULL",
    isNumber(column) ? `approx_quantile(${asNumber(column)}, [${quantiles.join(", ")}])` : "NULL",
    isSimple(column) ? `approx_top_k(${short}, ${candidates})` : "NULL",
    isNumber(column) || isTime(column) ? `min(${asNumber(column)})` : "NULL",
    isNumber(column) || isTime(column) ? `max(${asNumber(column)})` : "NULL",
  ];
}

async function statisticsOf(
  database: Database,
  from: string,
  columns: readonly DescribedColumn[],
): Promise<ColumnStatistics[]> {
  const first = await oneRow(database, `SELECT ${columns.flatMap(aggregatesOf).join(", ")} FROM ${from}`);
  const width = first.length / columns.length;
  const found = columns.map((column, index) => readAggregates(column, first.slice(index * width, (index + 1) * width)));
  const counted = await oneRow(database, `SELECT ${found.flatMap(countsOf).join(", ")} FROM ${from}`);
  return found.map((each, index) => ({
    ...each.statistics,
    histogram: histogramOf(each, counted[index * 3] ?? null),
    top: topOf(counted[index * 3 + 1] ?? null),
    distinct: countOf(counted[index * 3 + 2]) ?? each.statistics.distinct,
  }));
}

async function oneRow({ connection }: Database, sql: string): Promise<DuckDBValue[]> {
  const reader = await connection.runAndReadAll(sql);
  return reader.getRows()[0] ?? [];
}

/** What the first query tells, and what the second one counts. */
interface Aggregates {
  readonly column: DescribedColumn;
  readonly statistics: Omit<ColumnStatistics, "histogram" | "top">;
  readonly bins: Bins | undefined;
  readonly candidates: readonly DuckDBValue[];
}

interface Bins {
  readonly low: number;
  readonly width: number;
  readonly count: number;
}

function readAggregates(column: DescribedColumn, values: readonly DuckDBValue[]): Aggregates {
  const [
    nulls = null,
    distinct = null,
    min = null,
    max = null,
    mean = null,
    quantile = null,
    top = null,
    low = null,
    high = null,
  ] = values;
  const at = quantile instanceof DuckDBListValue ? quantile.items : [];
  return {
    column,
    statistics: {
      ...{ name: column.name, type: column.type, kind: column.kind },
      nulls: Number(nulls),
      distinct: distinct === null ? null : Number(distinct),
      isDistinctApproximate: Number(distinct ?? 0) > maxCounted,
      ...{ min: jsonOf(min), max: jsonOf(max), mean: typeof mean === "number" ? mean : null },
      quantiles: quantiles.flatMap((share, index) => {
        const value = at[index];
        return typeof value === "number" ? [{ quantile: share, value }] : [];
      }),
    },
    bins: typeof low === "number" && typeof high === "number" ? binsOf(column, low, high) : undefined,
    candidates: top instanceof DuckDBListValue ? top.items : [],
  };
}

/** Whole numbers and days get bins with whole bounds. */
function binsOf(column: DescribedColumn, low: number, high: number): Bins | undefined {
  const unit = { integer: 1, date: 86_400 }[column.kind as string] ?? 0;
  if (!Number.isFinite(high - low)) return undefined;
  if (unit > 0) {
    const units = Math.round((high - low) / unit) + 1;
    const width = Math.ceil(units / maxBins);
    return { low, width: width * unit, count: Math.ceil(units / width) };
  }
  return high > low ? { low, width: (high - low) / maxBins, count: maxBins } : { low, width: 0, count: 1 };
}

/** Three aggregates: rows of each bin, rows of each candidate, and distinct values. */
function countsOf({ column, bins, statistics, candidates: values }: Aggregates): string[] {
  const place =
    bins && `greatest(0, least(${bins.count - 1}, floor((${asNumber(column)} - ${bins.low}) / ${bins.width || 1})))`;
  const name = quoteName(column.name);
  const text = column.kind === "string" ? `left(CAST(${name} AS VARCHAR), ${maxText})` : `CAST(${name} AS VARCHAR)`;
  const list = quoteTexts(values.map(String));
  return [
    place === undefined ? "NULL" : `histogram(CAST(${place} AS INTEGER))`,
    values.length === 0
      ? "NULL"
      : `histogram(CASE WHEN list_contains(${list}, ${text}) THEN ${column.kind === "string" ? text : name} END)`,
    statistics.distinct === null || statistics.isDistinctApproximate ? "NULL" : `count(DISTINCT ${name})`,
  ];
}

const countOf = (value: DuckDBValue | undefined) => (typeof value === "bigint" ? Number(value) : undefined);

function countedIn(value: DuckDBValue): { key: DuckDBValue; count: number }[] {
  if (!(value instanceof DuckDBMapValue)) return [];
  return value.entries.map((entry) => ({ key: entry.key, count: Number(entry.value) }));
}

function histogramOf({ column, bins }: Aggregates, value: DuckDBValue): ColumnStatistics["histogram"] {
  if (!bins) return [];
  const counts = new Map(countedIn(value).map(({ key, count }) => [Number(key), count]));
  const bound = (index: number) => boundOf(column, bins.low + bins.width * index);
  return Array.from({ length: bins.count }, (_, index) => ({
    ...{ from: bound(index), to: bound(index + 1) },
    count: counts.get(index) ?? 0,
  }));
}

function boundOf(column: DescribedColumn, value: number): JsonValue {
  if (!isTime(column)) return value;
  const time = new Date(value * 1_000);
  if (Number.isNaN(time.getTime())) return value;
  return column.kind === "date" ? time.toISOString().slice(0, 10) : time.toISOString();
}

function topOf(value: DuckDBValue): ColumnStatistics["top"] {
  return countedIn(value)
    .toSorted((one, other) => other.count - one.count || String(one.key).localeCompare(String(other.key)))
    .slice(0, topValues)
    .map(({ key, count }) => ({ value: jsonOf(key), count }));
}

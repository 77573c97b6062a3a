import type { EngineLimits } from "./limits.ts";

/** What a column holds: the words that columns of a sample have, and those of nested values. */
export const columnKinds = [
  "string",
  "integer",
  "number",
  "boolean",
  "date",
  "date_time",
  "list",
  "struct",
  "map",
  "binary",
] as const;
export type ColumnKind = (typeof columnKinds)[number];

export interface Column {
  readonly name: string;
  /** As DuckDB writes it, such as `DECIMAL(18,3)`. */
  readonly type: string;
  readonly kind: ColumnKind;
  /** Whether a value is missing. */
  readonly nullable: boolean;
}

export const fileFormats = ["csv", "jsonl", "parquet", "arrow"] as const;
export type FileFormat = (typeof fileFormats)[number];

export interface SourceFile {
  /** Absolute, in the folder of the organisation. */
  readonly path: string;
  /** What people call it; errors name it. */
  readonly name: string;
  readonly format: FileFormat;
  /** Of CSV and JSONL. Default: none. */
  readonly compression?: "gzip" | "zstd";
}

interface OrganisationRequest {
  readonly organisationId: string;
  /** Ends the request: it rejects with the signal's reason. */
  readonly signal?: AbortSignal;
}

export interface ConvertRequest extends OrganisationRequest {
  /** Their rows follow each other in this order. */
  readonly files: readonly SourceFile[];
  /** The Parquet file that is made, absolute, in the folder of the organisation. It is there once the request has ended well. */
  readonly output: string;
  readonly limits?: Partial<EngineLimits>;
  /** Is called at the beginning and the end of each pass over the files, and twice a second in between. */
  readonly onProgress?: (progress: Progress) => void;
}

/**
 * How far a pass over the files is, in bytes of the unpacked files. Another pass follows when a value needs a wider column. Rows are not
 * told: DuckDB counts them when a pass has ended.
 */
export interface Progress {
  readonly bytesRead: number;
  readonly bytesTotal: number;
}

/** A file that was made. */
export interface MadeFile {
  readonly sizeBytes: number;
  /** Hexadecimal. */
  readonly sha256: string;
}

/** A Parquet file that was made. */
export interface WrittenFile extends MadeFile {
  readonly rowCount: number;
  readonly columns: readonly Column[];
}

/** Of a parameter of SQL. A whole `number` and a `bigint` are BIGINT, other numbers DOUBLE; a date is a text that the SQL casts. */
export type Value = null | boolean | number | bigint | string | Uint8Array;

export interface RowsRequest extends OrganisationRequest {
  /** Parquet files of the same columns; their rows follow each other. */
  readonly files: readonly string[];
  /** Default: all. */
  readonly columns?: readonly string[];
  /** A condition over the columns: SQL that the caller made, never text of a user; what users say goes into the parameters `$1`, `$2`, … */
  readonly where?: { readonly sql: string; readonly parameters: readonly Value[] };
  /** Default: the order of the files. Rows that are equal in it stay in the order of the files. */
  readonly orderBy?: readonly { readonly column: string; readonly descending?: boolean }[];
  /** Rows that are left out, of those that fit. Default 0. */
  readonly offset?: number;
  readonly limit: number;
  /** Instead of the first ones, `limit` rows of all that fit, the same ones for the same seed, in the order of the files. */
  readonly sample?: { readonly seed: number };
  /** Default: json. */
  readonly format?: RowFormat;
  /** Default: that of the engine's limits. */
  readonly maxBytes?: number;
  readonly limits?: Pick<EngineLimits, "timeMs">;
}

/** How rows are written. */
export type RowFormat = "json" | "arrow";

/** Rows of a version or of a query. */
export interface Page {
  readonly columns: readonly Column[];
  readonly rowCount: number;
  /** Whether rows follow. */
  readonly hasMore: boolean;
  /** Whether it ended before its limit because of its bytes. */
  readonly isCut: boolean;
  /**
   * A JSON array of objects, in UTF-8. Integers beyond 2^53, decimals, NaN and infinities are texts, times are ISO 8601,
   * binary is base64, a map is an array of `{key, value}`. In Arrow a stream of IPC, with the types of the columns and
   * `has_more` in the metadata of its schema; what Arrow has no type for is a text.
   */
  readonly body: Uint8Array;
}

export interface StatisticsRequest extends OrganisationRequest {
  readonly files: readonly string[];
  /** Default: all. */
  readonly columns?: readonly string[];
  readonly limits?: Pick<EngineLimits, "timeMs">;
}

/** A value as JSON has it. */
export type JsonValue =
  | null
  | boolean
  | number
  | string
  | readonly JsonValue[]
  | { readonly [name: string]: JsonValue };

export interface ColumnStatistics {
  readonly name: string;
  readonly type: string;
  readonly kind: ColumnKind;
  readonly nulls: number;
  /** Null: of a kind whose values are not compared. */
  readonly distinct: number | null;
  /** Estimated by HyperLogLog, which may be wrong by a quarter: there are too many to count them. */
  readonly isDistinctApproximate: boolean;
  readonly min: JsonValue;
  readonly max: JsonValue;
  /** Of numbers. */
  readonly mean: number | null;
  /** Of numbers, by T-Digest: approximate. */
  readonly quantiles: readonly { readonly quantile: number; readonly value: number }[];
  /** Of numbers and times, at most 20 bins of the same width; `to` belongs to the last one alone. */
  readonly histogram: readonly { readonly from: JsonValue; readonly to: JsonValue; readonly count: number }[];
  /** At most ten, the most frequent first. The counts are exact; with very many distinct values a frequent one may be missing. */
  readonly top: readonly { readonly value: JsonValue; readonly count: number }[];
}

export interface Statistics {
  readonly rowCount: number;
  readonly columns: readonly ColumnStatistics[];
}

interface QueryOf extends OrganisationRequest {
  /** Name → Parquet files of the same columns. The query reads these and nothing else. */
  readonly views: Readonly<Record<string, readonly string[]>>;
  /** One `SELECT`; text of a user. */
  readonly sql: string;
  /** Of `$1`, `$2`, … */
  readonly parameters?: readonly Value[];
  readonly limits?: Partial<Pick<EngineLimits, "timeMs" | "maxRows">>;
}

export interface QueryRequest extends QueryOf {
  readonly limit: number;
  /** Default: json. */
  readonly format?: RowFormat;
  readonly maxBytes?: number;
}

export interface QueryToFileRequest extends QueryOf {
  /** As that of a conversion. */
  readonly output: string;
  /** Is called twice a second. */
  readonly onProgress?: (progress: Progress) => void;
}

/** How far vectors are from each other: `dot` is the inner product, negated. */
export const vectorMetrics = ["cosine", "l2", "dot"] as const;
export type VectorMetric = (typeof vectorMetrics)[number];

export interface LayVectorsRequest extends OrganisationRequest {
  /** A Parquet file with the columns `row`, the place of each row from 0, and `vector`. */
  readonly vectors: string;
  readonly metric: VectorMetric;
  /** Of each vector; those with another length are not found. */
  readonly dimensions: number;
  /** As that of a conversion. */
  readonly output: string;
  /** Rows up to which searches compare all vectors. Default: that of the engine's limits. */
  readonly exactRows?: number;
  readonly limits?: Pick<EngineLimits, "timeMs">;
}

/** Vectors that are laid out for searches. */
export interface LaidVectors extends MadeFile {
  /** Of the vectors that can be found. */
  readonly rowCount: number;
  /** 1: a search compares all vectors, and misses none. Otherwise it compares those of the cells that are near. */
  readonly cells: number;
  /** Share of the ten nearest rows that searches for a sample of the vectors have found. */
  readonly recall: number;
}

export interface NearestRequest extends OrganisationRequest {
  /** What {@link LaidVectors} tells of. */
  readonly cells: string;
  readonly vector: readonly number[];
  readonly limit: number;
  /** A row that is not found. */
  readonly exceptRow?: number | undefined;
  /** Which rows are looked at: a condition as of {@link RowsRequest}, and the Parquet file with so many rows that it is about. */
  readonly kept?: {
    readonly file: string;
    readonly rows: number;
    readonly where: NonNullable<RowsRequest["where"]>;
  };
  readonly limits?: Pick<EngineLimits, "timeMs">;
}

/** A row that was found. */
export interface NearRow {
  readonly row: number;
  readonly distance: number;
}

/** What one request may have. */
export interface EngineLimits {
  /** Ms that it may run, without its time in the queue. */
  readonly timeMs: number;
  readonly maxColumns: number;
  readonly maxRows: number;
  /** Of one value of a text format, and of one line of it. */
  readonly maxCellBytes: number;
  /** Of all files together, as they are given. */
  readonly maxInputBytes: number;
  /** Of one compressed file, unpacked. */
  readonly maxUnpackedBytes: number;
  /** Unpacked bytes for each byte of a compressed file. */
  readonly maxRatio: number;
  /** Lists and objects within each other, in JSONL. */
  readonly maxDepth: number;
}

const mebibyte = 1_048_576;

/** Those of a conversion that names none. */
export const defaultLimits: EngineLimits = {
  timeMs: 900_000,
  maxColumns: 5_000,
  maxRows: 2_000_000_000,
  maxCellBytes: 16 * mebibyte,
  maxInputBytes: 64 * 1024 * mebibyte,
  maxUnpackedBytes: 16 * 1024 * mebibyte,
  maxRatio: 200,
  maxDepth: 64,
};

/** Rows up to which a search compares all vectors, where a request names none. */
export const defaultExactRows = 100_000;

/** Ms of rows, statistics and queries that name none. */
export const defaultReadMs = 30_000;

/** Bytes of a page that names none, and of any. */
export const defaultPageBytes = 4 * mebibyte;
export const maxPageBytes = 16 * mebibyte;

/** Where a file is at fault, which rule it breaks, and what helps. */
export interface FileFault {
  /** The name that its file was given. */
  readonly file: string;
  /** From 1; a header is a line. Absent: the fault has no line, as in a binary format. */
  readonly line?: number;
  readonly column?: string;
  /** A stable word, such as `quote`; all of them in `fileRules`. */
  readonly rule: FileRule;
  /** One sentence: what happened. */
  readonly message: string;
  /** One sentence: what to do. */
  readonly remedy: string;
}

/** The rules that a file can break. */
export const fileRules = [
  "utf8",
  "header",
  "quote",
  "values",
  "type",
  "columns",
  "cell",
  "depth",
  "syntax",
  "damaged",
  "encrypted",
  "compression",
  "unsupported",
  "empty",
] as const;
export type FileRule = (typeof fileRules)[number];

/** A file cannot be read as what it was said to be. The same file fails again. */
export class UnreadableFileError extends Error implements FileFault {
  override name = "UnreadableFileError";
  readonly file: string;
  readonly line?: number;
  readonly column?: string;
  readonly rule: FileRule;
  readonly remedy: string;

  constructor(fault: FileFault) {
    super(fault.message);
    this.file = fault.file;
    if (fault.line !== undefined) this.line = fault.line;
    if (fault.column !== undefined) this.column = fault.column;
    this.rule = fault.rule;
    this.remedy = fault.remedy;
  }
}

/** What a request can have too much of. */
export const engineLimits = ["memory", "time", "disk", "cell", "columns", "rows", "input"] as const;
export type EngineLimit = (typeof engineLimits)[number];

/** A request needs more than it may have. The same request fails again. */
export class EngineLimitError extends Error {
  override name = "EngineLimitError";
  readonly limit: EngineLimit;
  constructor(limit: EngineLimit, message: string) {
    super(message);
    this.limit = limit;
  }
}

/** Where a query is at fault, and what helps. */
export interface QueryFault {
  /** One sentence without its end: what happened. */
  readonly message: string;
  /** One sentence: what to do. */
  readonly remedy: string;
  /** From 1, as `character`. Absent: not known. */
  readonly line?: number;
  /** Place in the line. */
  readonly character?: number;
}

/** A query that is not one `SELECT` over its views, or that DuckDB refuses. */
export class InvalidQueryError extends Error implements QueryFault {
  override name = "InvalidQueryError";
  readonly remedy: string;
  readonly line?: number;
  readonly character?: number;

  constructor({ message, remedy, line, character }: QueryFault) {
    super(message);
    this.remedy = remedy;
    if (line !== undefined) this.line = line;
    if (character !== undefined) this.character = character;
  }
}

/** The process of a request ended before it answered. The request has had no effect, and may be sent again. */
export class EngineStoppedError extends Error {
  override name = "EngineStoppedError";
  constructor(how: string) {
    super(`The process that read the data ended (${how}); try again`);
  }
}

/** The organisation already has as many requests waiting as it may have. */
export class EngineQueueFullError extends Error {
  override name = "EngineQueueFullError";
  constructor() {
    super("Too many requests for data of the organisation are waiting; try again");
  }
}

/** The engine is closing and takes no more requests. */
export class EngineClosedError extends Error {
  override name = "EngineClosedError";
  constructor() {
    super("The service is shutting down; try again");
  }
}

/** A path that is not within the folder of the organisation that asks. */
export class ForeignPathError extends Error {
  override name = "ForeignPathError";
  constructor() {
    super("A file is not in the folder of its organisation");
  }
}

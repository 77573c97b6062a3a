import type { MessageInitShape } from "@bufbuild/protobuf";
import type { ValueSchema } from "./gen/data_engine_pb.js";
import { defaultLimits, type EngineLimits } from "./limits.ts";
import { pathWithin } from "./organisation-paths.ts";
import type { Work } from "./pool/engine-process.ts";
import type { NearestRequest, QueryRequest, RowsRequest, SourceFile, Value } from "./requests.ts";

/** The message of a conversion. */
export function conversionOf(files: readonly SourceFile[], output: string, limits: EngineLimits): Work {
  const { maxColumns, maxCellBytes, maxRatio, maxDepth } = limits;
  return {
    case: "convert",
    value: {
      files: files.map(({ compression = "", ...file }) => ({ ...file, compression })),
      output,
      limits: {
        ...{ maxColumns, maxCellBytes, maxRatio, maxDepth },
        maxRows: BigInt(limits.maxRows),
        maxUnpackedBytes: BigInt(limits.maxUnpackedBytes),
      },
    },
  };
}

/** The message of a request for rows. */
export function rowsOf(request: RowsRequest, files: string[], maxBytes: number): Work {
  const { columns = [], where, orderBy = [], offset = 0, limit, sample, format = "json" } = request;
  return {
    case: "readRows",
    value: {
      ...{ files, limit, maxBytes, format },
      columns: [...columns],
      offset: BigInt(offset),
      orderBy: orderBy.map(({ column, descending = false }) => ({ column, descending })),
      ...(where && { where: { sql: where.sql, parameters: where.parameters.map(parameterOf) } }),
      ...(sample && { sample: { seed: BigInt(sample.seed) } }),
    },
  };
}

interface QueryPlace {
  readonly folder: string;
  readonly maxBytes: number;
  /** Where the result is written; unset: it is answered. */
  readonly output?: string;
}

/** The message of a query. @throws ForeignPathError */
export async function queryOf(request: QueryRequest, { folder, maxBytes, output = "" }: QueryPlace): Promise<Work> {
  const { views, sql, parameters = [], limit, limits, format = "json" } = request;
  const named = Object.entries(views).map(async ([name, files]) => ({
    name,
    files: await Promise.all(files.map((path) => pathWithin(folder, path))),
  }));
  return {
    case: "query",
    value: {
      views: await Promise.all(named),
      ...{ sql, output, limit, maxBytes, format },
      parameters: parameters.map(parameterOf),
      maxRows: BigInt(limits?.maxRows ?? defaultLimits.maxRows),
    },
  };
}

/** The message of a search for vectors. @throws ForeignPathError */
export async function nearestOf(request: NearestRequest, folder: string): Promise<Work> {
  const { cells, vector, limit, exceptRow, kept } = request;
  const where = kept && { sql: kept.where.sql, parameters: kept.where.parameters.map(parameterOf) };
  return {
    case: "findNearest",
    value: {
      ...{ cells: await pathWithin(folder, cells), vector: [...vector], limit },
      ...(exceptRow !== undefined && { exceptRow: BigInt(exceptRow) }),
      ...(kept && where && { where, rows: BigInt(kept.rows), file: await pathWithin(folder, kept.file) }),
    },
  };
}

/** A parameter as a message. Whole numbers are integers, as far as they are exact. */
function parameterOf(value: Value): MessageInitShape<typeof ValueSchema> {
  if (value === null) return { kind: { case: "null", value: true } };
  if (typeof value === "boolean") return { kind: { case: "boolean", value } };
  if (typeof value === "bigint") return { kind: { case: "integer", value } };
  if (typeof value === "string") return { kind: { case: "text", value } };
  if (typeof value === "number")
    return Number.isSafeInteger(value)
      ? { kind: { case: "integer", value: BigInt(value) } }
      : { kind: { case: "number", value } };
  return { kind: { case: "binary", value } };
}

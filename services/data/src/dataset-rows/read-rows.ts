import type { DataEngine, RowsRequest as EngineRows, RowFormat } from "@aiplatform/data-engine";
import { assertNone, type FieldViolation } from "@aiplatform/service-host";
import type { DatasetVersion, VersionColumn, VersionRef } from "../dataset-versions/dataset-version.ts";
import { assertReady, type ReadyVersion } from "../dataset-versions/dataset-version.ts";
import type { DatasetVersionStore } from "../dataset-versions/version-store.ts";
import type { ParquetCache } from "../parquet-cache/parquet-cache.ts";
import { rowCondition } from "./row-condition.ts";
import { offsetOf, rowCursor } from "./row-cursor.ts";
import { readRowRequest } from "./row-list.ts";

export interface ReadRowsDependencies {
  versions: Pick<DatasetVersionStore, "get" | "claimReady">;
  cache: Pick<ParquetCache, "use">;
  engine: Pick<DataEngine, "rows" | "statistics">;
}

/** Which rows, in which order, with which columns. */
export interface RowsRequest {
  limit: number;
  offset: number;
  /** Empty: all. */
  columns: readonly string[];
  filter: string;
  orderBy: string;
}

/** A page, or a sample in its place. */
export interface PageRequest extends RowsRequest {
  cursor: string;
  format: RowFormat;
  /** Rows of a sample. */
  sample?: { rows: number; seed: number } | undefined;
}

/** Rows as the engine has written them, and where the next page begins. */
export interface RowPage {
  body: Uint8Array;
  nextCursor: string;
}

/** What the engine reads, all of it checked. */
export type CheckedRows = Pick<EngineRows, "columns" | "where" | "orderBy">;

/** The version, if its rows can be read. @throws DatasetVersionNotFoundError, DatasetVersionNotReadyError */
export async function readyVersion(
  { versions }: { versions: Pick<DatasetVersionStore, "get"> },
  ref: VersionRef,
): Promise<ReadyVersion> {
  const version: DatasetVersion = await versions.get(ref);
  assertReady(version);
  return version;
}

/**
 * A page of rows.
 * @throws DatasetVersionNotFoundError, DatasetVersionNotReadyError, InvalidListRequestError, InvalidFieldsError, InvalidCursorError, and
 * what the engine and the cache throw
 */
export async function listRows(
  dependencies: ReadRowsDependencies,
  ref: VersionRef,
  request: PageRequest,
  signal: AbortSignal,
): Promise<RowPage> {
  const version = await readyVersion(dependencies, ref);
  assertOneWay(request);
  const wanted = checkedRows(version.data.columns, request);
  const { limit, sample, filter, orderBy, format } = request;
  const asked = { versionId: version.id, filter, orderBy };
  const offset = request.cursor === "" ? request.offset : offsetOf(asked, request.cursor);
  const page = await onData(dependencies, version, signal, (path) =>
    dependencies.engine.rows({
      ...{ organisationId: ref.organisationId, files: [path], ...wanted, format, signal },
      ...(sample ? { sample, limit: sample.rows } : { offset, limit }),
    }),
  );
  return { body: page.body, nextCursor: page.hasMore && !sample ? rowCursor(asked, offset + page.rowCount) : "" };
}

/** Runs `work` on the version's file. */
export function onData<T>(
  { cache }: Pick<ReadRowsDependencies, "cache">,
  { organisationId, data: { sha256, sizeBytes } }: ReadyVersion,
  signal: AbortSignal,
  work: (path: string) => Promise<T>,
): Promise<T> {
  return cache.use({ organisationId, sha256, sizeBytes }, signal, work);
}

/** Filter, order and columns as the engine takes them. @throws InvalidListRequestError, InvalidFieldsError */
export function checkedRows(
  known: readonly VersionColumn[],
  { columns, filter, orderBy }: Pick<RowsRequest, "columns" | "filter" | "orderBy">,
): CheckedRows {
  assertColumns(known, columns);
  const { condition, order } = readRowRequest(known, { filter, orderBy });
  return {
    ...(columns.length > 0 && { columns: [...columns] }),
    ...(condition && { where: rowCondition(condition, known) }),
    ...(order && { orderBy: [{ column: order.field.path, descending: order.isDescending }] }),
  };
}

function assertColumns(known: readonly VersionColumn[], columns: readonly string[]): void {
  const names = new Set(known.map(({ name }) => name));
  assertNone(
    columns.flatMap((name, index): FieldViolation[] => {
      const field = `columns[${index}]`;
      if (!names.has(name)) {
        return [{ field, reason: "COLUMN_UNKNOWN", description: "the version has no column of this name" }];
      }
      if (columns.indexOf(name) === index) return [];
      return [{ field, reason: "NAME_REPEATED", description: "is named before: name each column once" }];
    }),
  );
}

/** A sample is no page. */
function assertOneWay({ cursor, offset, sample, orderBy }: PageRequest): void {
  const apart = (field: string, other: string): FieldViolation => {
    return {
      field,
      reason: "NOT_TOGETHER",
      description: `cannot be given together with ${other}: leave one of them out`,
    };
  };
  assertNone([
    ...(sample && cursor !== "" ? [apart("sample", "cursor")] : []),
    ...(sample && offset > 0 ? [apart("sample", "offset")] : []),
    ...(sample && orderBy !== "" ? [apart("sample", "order_by")] : []),
    ...(!sample && cursor !== "" && offset > 0 ? [apart("offset", "cursor")] : []),
  ]);
}

import {
  type CheckedListRequest,
  type Comparison,
  ListFault,
  type ListRequest,
  readListRequest,
} from "@aiplatform/list-filter";
import type { ListDeclaration, ListField, ListValueType } from "@aiplatform/transcoder";
import type { ColumnKind, VersionColumn } from "../dataset-versions/dataset-version.ts";

const order = ["=", "!=", "<", "<=", ">", ">=", ":"];
const equality = ["=", "!=", ":"];
const presence = [":"];

/** How the values of each kind are compared. Lists, objects and bytes are only asked whether they are there. */
const comparedAs: Readonly<Record<ColumnKind, { type: ListValueType; operators: readonly string[] }>> = {
  string: { type: "text", operators: order },
  integer: { type: "number", operators: order },
  number: { type: "number", operators: order },
  boolean: { type: "boolean", operators: equality },
  // A day is written as text: a list knows times with their zone alone.
  date: { type: "text", operators: order },
  date_time: { type: "timestamp", operators: order },
  list: { type: "text", operators: presence },
  struct: { type: "text", operators: presence },
  map: { type: "text", operators: presence },
  binary: { type: "text", operators: presence },
};

const sortableKinds: ReadonlySet<ColumnKind> = new Set(["string", "integer", "number", "boolean", "date", "date_time"]);
const dayPattern = /^\d{4}-\d\d-\d\d$/;

/** What the rows of a version can be filtered and ordered by: its own columns. */
export function rowList(columns: readonly VersionColumn[]): ListDeclaration {
  return { fields: columns.map(fieldOf), defaultOrder: "" };
}

/** A filter and an order that fit the columns. @throws InvalidListRequestError */
export function readRowRequest(columns: readonly VersionColumn[], request: ListRequest): CheckedListRequest {
  const days = new Set(columns.flatMap(({ name, kind }) => (kind === "date" ? [name] : [])));
  return readListRequest(rowList(columns), request, (comparison) => {
    if (days.has(comparison.field.path)) assertDay(comparison);
  });
}

function fieldOf({ name, kind }: VersionColumn): ListField {
  const about = { isMap: false, isRepeated: false, isOptional: true, values: [], note: "" };
  return { path: name, ...comparedAs[kind], ...about, isSortable: sortableKinds.has(kind) };
}

function assertDay({ field, value, written }: Comparison): void {
  if (value === undefined || isDay(written.text)) return;
  throw new ListFault(written.offset, `${field.path} is compared with a day, such as 2026-03-02`);
}

/** Whether the text is a day of the calendar. */
function isDay(text: string): boolean {
  if (!dayPattern.test(text)) return false;
  const midnight = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(text);
}

import { FilteredList } from "../../ui/filtered-list.tsx";
import type { ListSearch } from "../../ui/list-filter.tsx";
import { Empty } from "../../ui/panel.tsx";
import { Table } from "../../ui/table.tsx";
import { cellText } from "./cell-text.ts";
import { type DatasetVersion, type Row, useRows, type VersionPath } from "./use-versions.ts";

type Columns = DatasetVersion["columns"];

interface RowsPanelProps {
  columns: Columns;
  path: VersionPath;
  search: ListSearch;
  onChange: (search: ListSearch) => void;
}

/** Columns that are shown at most: a table of thousands is slow and cannot be read. */
const maxColumns = 50;
const sortable: ReadonlySet<string> = new Set(["string", "integer", "number", "boolean", "date", "date_time"]);

/** A name as a filter writes it. */
const written = (name: string) => (/^[A-Za-z_]\w*$/.test(name) ? name : `"${name.replace(/["\\]/g, "\\$&")}"`);

/** Rows of a version, with a filter over its columns. */
export function RowsPanel({ columns, path, search, onChange }: RowsPanelProps) {
  const rows = useRows(path, search);
  const shown = columns.slice(0, maxColumns);
  const orders = shown
    .filter(({ kind }) => sortable.has(kind))
    .flatMap(({ name }) => [
      { value: `${written(name)} asc`, label: `${name}, ascending` },
      { value: `${written(name)} desc`, label: `${name}, descending` },
    ]);
  const [first] = columns;
  return (
    <>
      <FilteredList
        one="row"
        many="rows"
        search={search}
        onChange={onChange}
        placeholder={first ? `${written(first.name)}:*` : ""}
        orders={[{ value: "", label: "As in the files" }, ...orders]}
        quick={[]}
        list={rows}
        empty={<Empty title="The version has no rows" />}
      >
        {(items) => <RowsTable columns={shown} rows={items} />}
      </FilteredList>
      {columns.length > maxColumns && (
        <p className="muted small">
          {maxColumns} of {columns.length} columns are shown.
        </p>
      )}
    </>
  );
}

function RowsTable({ columns, rows }: { columns: Columns; rows: readonly Row[] }) {
  const isNumber = ({ kind }: Columns[number]) => kind === "integer" || kind === "number";
  return (
    <Table caption="Rows" columns={columns.map((column) => ({ name: column.name, isRight: isNumber(column) }))}>
      {rows.map((row, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a row of a version has no identity but its place
        <tr key={index}>
          {columns.map((column) => (
            <td key={column.name} className={isNumber(column) ? "right number" : undefined}>
              {cellText(row[column.name]) ?? <span className="muted">none</span>}
            </td>
          ))}
        </tr>
      ))}
    </Table>
  );
}

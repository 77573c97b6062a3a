import "./data.css";
import { getRouteApi, Link, useNavigate } from "@tanstack/react-router";
import { Plus } from "lucide-react";
import { useState } from "react";
import type { Dataset } from "../api/platform.ts";
import { useForbidden } from "../api/session.ts";
import { Page } from "../shell/page.tsx";
import { readListSearch } from "../shell/search-texts.ts";
import { Button } from "../ui/button.tsx";
import { FilteredList } from "../ui/filtered-list.tsx";
import type { ListSearch } from "../ui/list-filter.tsx";
import { Empty } from "../ui/panel.tsx";
import { Table } from "../ui/table.tsx";
import { Time } from "../ui/time.tsx";
import { CreateDatasetDialog } from "./create-dataset-dialog.tsx";
import { useDatasets } from "./use-datasets.ts";

const route = getRouteApi("/shell/data");

const orders = [
  { value: "", label: "Newest first" },
  { value: "created_at asc", label: "Oldest first" },
  { value: "name asc", label: "By name" },
] as const;

/** Columns whose names a row shows. */
const maxNames = 4;

const noDatasets = (
  <Empty title="No datasets yet">
    <p>Create one with its columns, or have them read from a CSV or Parquet file. Then describe what they mean.</p>
  </Empty>
);

/** The datasets of the organisation. */
export function DatasetsPage() {
  const search = route.useSearch();
  const navigate = useNavigate();
  const [isCreating, setIsCreating] = useState(false);
  const forbidden = useForbidden("dictionary:write");
  const datasets = useDatasets(search);
  const go = (next: ListSearch) => void navigate({ to: "/data", search: readListSearch({ ...next }) });
  return (
    <Page
      title="Data"
      actions={
        <Button kind="primary" forbidden={forbidden} onClick={() => setIsCreating(true)}>
          <Plus size={15} aria-hidden="true" />
          New dataset
        </Button>
      }
    >
      <FilteredList
        one="dataset"
        many="datasets"
        search={search}
        onChange={go}
        placeholder='name = "Orders" OR created_at >= 2026-01-01T00:00:00Z'
        orders={orders}
        quick={[]}
        list={datasets}
        empty={noDatasets}
      >
        {(items) => <DatasetsTable datasets={items} />}
      </FilteredList>
      {isCreating && <CreateDatasetDialog onClose={() => setIsCreating(false)} />}
    </Page>
  );
}

function DatasetsTable({ datasets }: { datasets: readonly Dataset[] }) {
  return (
    <Table caption="Datasets" columns={["Name", "Columns", "Created", "Changed"]}>
      {datasets.map(({ id, name, description, columns, created_at, updated_at }) => (
        <tr key={id}>
          <td className="data-name">
            <Link to="/data/$datasetId" params={{ datasetId: id }}>
              {name}
            </Link>
            {description && <span className="muted small-block data-description">{description}</span>}
          </td>
          <td>
            <span className="row">
              <span className="number">{columns.length}</span>
              {columns.slice(0, maxNames).map((column) => (
                <span key={column.name} className="tag">
                  {column.name}
                </span>
              ))}
              {columns.length > maxNames && <span className="muted small">and more</span>}
            </span>
          </td>
          <td>
            <Time at={created_at} />
          </td>
          <td>
            <Time at={updated_at} />
          </td>
        </tr>
      ))}
    </Table>
  );
}

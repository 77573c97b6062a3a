import "./runs.css";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { Plus } from "lucide-react";
import { useState } from "react";
import { useForbidden } from "../api/session.ts";
import { Page } from "../shell/page.tsx";
import { Button } from "../ui/button.tsx";
import { FilteredList } from "../ui/filtered-list.tsx";
import { Empty } from "../ui/panel.tsx";
import { CreateRunDialog } from "./create-run-dialog.tsx";
import { type RunsSearch, readRunsSearch } from "./runs-search.ts";
import { RunsTable } from "./runs-table.tsx";
import { SelectionBar } from "./selection-bar.tsx";
import { useRuns } from "./use-runs.ts";

const route = getRouteApi("/shell/runs");

const quick = [
  { label: "Running", filter: "jobs.state = running" },
  { label: "Paused", filter: "jobs.state = paused" },
  { label: "Failed", filter: "jobs.state = failed" },
  { label: "Completed", filter: "jobs.state = completed" },
] as const;

const orders = [
  { value: "", label: "Newest first" },
  { value: "created_at asc", label: "Oldest first" },
  { value: "name asc", label: "By name" },
] as const;

const noRuns = (
  <Empty title="No runs yet">
    <p>Create one here, or report from a script:</p>
    <pre>pip install ./sdks/python</pre>
  </Empty>
);

/** The runs of all pipelines: found by a filter, compared, commanded, created. */
export function RunsPage() {
  const search = route.useSearch();
  const navigate = useNavigate();
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const forbidden = useForbidden("training:write");
  const runs = useRuns(search);
  const go = (next: RunsSearch) => void navigate({ to: "/runs", search: readRunsSearch({ ...next }) });
  return (
    <Page
      title="Runs"
      actions={
        <Button kind="primary" forbidden={forbidden} onClick={() => go({ ...search, copy: "new" })}>
          <Plus size={15} aria-hidden="true" />
          New run
        </Button>
      }
    >
      <FilteredList
        one="run"
        many="runs"
        search={search}
        onChange={(next) => go({ ...search, ...next })}
        placeholder="tags.team = vision AND metrics.loss < 0.1"
        orders={orders}
        quick={quick}
        list={runs}
        empty={noRuns}
      >
        {(items) => <RunsTable runs={items} selected={selected} onSelect={setSelected} />}
      </FilteredList>
      <SelectionBar runs={runs.data ?? []} selected={selected} onClear={() => setSelected(new Set())} />
      {search.copy !== undefined && <CreateRunDialog from={search.copy} onClose={() => go({ ...search, copy: "" })} />}
    </Page>
  );
}

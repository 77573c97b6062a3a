import "./runs.css";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { Plus } from "lucide-react";
import { useState } from "react";
import { useForbidden } from "../api/session.ts";
import { Page } from "../shell/page.tsx";
import { Button } from "../ui/button.tsx";
import { ListFilter } from "../ui/list-filter.tsx";
import { Empty } from "../ui/panel.tsx";
import { QueryView } from "../ui/query-view.tsx";
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

/** The runs of all pipelines: found by a filter, compared, commanded, created. */
export function RunsPage() {
  const search = route.useSearch();
  const navigate = useNavigate();
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const forbidden = useForbidden("training:write");
  const runs = useRuns(search);
  const go = (next: RunsSearch) => void navigate({ to: "/runs", search: readRunsSearch({ ...next }) });
  const pages = runs.data?.pages.flatMap(({ items }) => items);
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
      <ListFilter
        label="Filter of runs"
        search={search}
        onChange={(next) => go({ ...search, ...next })}
        placeholder="tags.team = vision AND metrics.loss < 0.1"
        orders={orders}
        quick={quick}
      />
      <section className="panel" aria-label="List of runs">
        <QueryView
          query={{ data: pages, error: runs.error, isFetching: runs.isFetching, refetch: runs.refetch }}
          rows={8}
        >
          {(items) =>
            items.length === 0 && !runs.hasNextPage ? (
              <NoRuns isFiltered={search.filter !== undefined} />
            ) : (
              <RunsTable runs={items} selected={selected} onSelect={setSelected} />
            )
          }
        </QueryView>
      </section>
      {runs.hasNextPage && (
        <div>
          <Button isPending={runs.isFetchingNextPage} onClick={() => void runs.fetchNextPage()}>
            Show more
          </Button>
        </div>
      )}
      <SelectionBar runs={pages ?? []} selected={selected} onClear={() => setSelected(new Set())} />
      {search.copy !== undefined && <CreateRunDialog from={search.copy} onClose={() => go({ ...search, copy: "" })} />}
    </Page>
  );
}

function NoRuns({ isFiltered }: { isFiltered: boolean }) {
  if (isFiltered)
    return (
      <Empty title="No run fits the filter">
        <p>Change or clear the filter above.</p>
      </Empty>
    );
  return (
    <Empty title="No runs yet">
      <p>Create one here, or report from a script:</p>
      <pre>pip install ./sdks/python</pre>
    </Empty>
  );
}

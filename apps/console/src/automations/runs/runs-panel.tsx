import { Link } from "@tanstack/react-router";
import type { AutomationRun } from "../../api/platform.ts";
import { StateChip } from "../../ui/chip.tsx";
import { FilteredList } from "../../ui/filtered-list.tsx";
import type { ListSearch } from "../../ui/list-filter.tsx";
import { Empty } from "../../ui/panel.tsx";
import { Table } from "../../ui/table.tsx";
import { Duration, Time, useNow } from "../../ui/time.tsx";
import { secondsOf } from "../queries/run-rules.ts";
import { useRunsOfAutomation } from "../queries/use-runs-of-automation.ts";

const orders = [
  { value: "", label: "Newest first" },
  { value: "created_at asc", label: "Oldest first" },
] as const;

const quick = [
  { label: "Running", filter: "status = running" },
  { label: "Waiting", filter: "status = waiting" },
  { label: "Failed", filter: "status = failed" },
  { label: "Succeeded", filter: "status = succeeded" },
] as const;

interface RunsPanelProps {
  automationId: string;
  search: ListSearch;
  onSearch: (search: ListSearch) => void;
}

/** The runs of an automation. */
export function RunsPanel({ automationId, search: { filter, order }, onSearch }: RunsPanelProps) {
  const search = { ...(filter !== undefined && { filter }), ...(order !== undefined && { order }) };
  const runs = useRunsOfAutomation(automationId, search);
  return (
    <FilteredList
      one="run"
      many="runs"
      search={search}
      onChange={onSearch}
      placeholder="status = failed AND created_at >= 2026-01-01T00:00:00Z"
      orders={orders}
      quick={quick}
      list={runs}
      empty={<Empty title="It has not run yet" />}
    >
      {(items) => <RunsOfAutomationTable automationId={automationId} runs={items} />}
    </FilteredList>
  );
}

interface RunsTableProps {
  automationId: string;
  runs: readonly AutomationRun[];
}

function RunsOfAutomationTable({ automationId, runs }: RunsTableProps) {
  return (
    <Table caption="Runs" columns={["Run", "Status", "Started by", "Took", "Started"]}>
      {runs.map((run) => (
        <tr key={run.id}>
          <td>
            <Link to="/automations/$automationId/runs/$runId" params={{ automationId, runId: run.id }}>
              <code>{run.id.slice(-8)}</code>
            </Link>
          </td>
          <td>
            <StateChip state={run.status} />
            {run.error && <div className="error-text small">{run.error}</div>}
          </td>
          <td>{run.started_by === "demand" ? "a person or a program" : <code>{run.started_by}</code>}</td>
          <td>
            <Took run={run} />
          </td>
          <td>
            <Time at={run.created_at} />
          </td>
        </tr>
      ))}
    </Table>
  );
}

/** How long a run took, or takes until now. */
export function Took({ run: { created_at, ended_at } }: { run: Pick<AutomationRun, "created_at" | "ended_at"> }) {
  const now = useNow();
  return <Duration seconds={secondsOf({ started: created_at, ended: ended_at }, now) ?? 0} />;
}

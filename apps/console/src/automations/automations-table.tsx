import { Link } from "@tanstack/react-router";
import type { Automation } from "../api/platform.ts";
import { StateChip, StateIcon } from "../ui/chip.tsx";
import { Table } from "../ui/table.tsx";
import { Time } from "../ui/time.tsx";
import { useAutomationSettings, usePublishedVersion } from "./queries/use-automations.ts";
import { useNewestRuns } from "./queries/use-runs-of-automation.ts";
import { TriggerText } from "./versions/trigger-text.tsx";

/** Runs that a row shows. */
const shownRuns = 5;

/** Automations as a table, each with what starts it and how its newest runs went. */
export function AutomationsTable({ automations }: { automations: readonly Automation[] }) {
  return (
    <Table caption="Automations" columns={["Name", "State", "Starts", "Newest runs", "Changed"]}>
      {automations.map((automation) => (
        <AutomationRow key={automation.id} automation={automation} />
      ))}
    </Table>
  );
}

function AutomationRow({ automation }: { automation: Automation }) {
  const { id, name, description, updated_at } = automation;
  return (
    <tr>
      <td className="automation-name">
        <Link to="/automations/$automationId" params={{ automationId: id }}>
          {name}
        </Link>
        {description && <span className="muted small-block automation-description">{description}</span>}
      </td>
      <td>
        <AutomationState automation={automation} />
      </td>
      <td className="automation-trigger small">
        <Trigger automation={automation} />
      </td>
      <td>
        <NewestRuns automation={automation} />
      </td>
      <td>
        <Time at={updated_at} />
      </td>
    </tr>
  );
}

/** Whether an automation runs: a draft was never published, and nothing runs a disabled one. */
export function AutomationState({ automation: { id, current_version } }: { automation: Automation }) {
  const { data: settings } = useAutomationSettings(id);
  if (current_version === null) return <StateChip state="draft" />;
  if (!settings) return <span className="muted">…</span>;
  return <StateChip state={settings.enabled ? "enabled" : "disabled"} />;
}

function Trigger({ automation }: { automation: Automation }) {
  const { data: entry } = usePublishedVersion(automation);
  if (automation.current_version === null) return <span className="muted">not published</span>;
  return entry ? <TriggerText entry={entry} /> : <span className="muted">…</span>;
}

function NewestRuns({ automation: { id } }: { automation: Automation }) {
  const { data: runs } = useNewestRuns(id, shownRuns);
  const [newest, ...others] = runs ?? [];
  if (!newest) return <span className="muted">{runs ? "none yet" : "…"}</span>;
  const address = (runId: string) =>
    ({ to: "/automations/$automationId/runs/$runId", params: { automationId: id, runId } }) as const;
  return (
    <span className="row">
      <Link {...address(newest.id)}>
        <StateChip state={newest.status} />
      </Link>
      <Time at={newest.created_at} />
      <span className="run-strip">
        {others.map((run) => (
          <Link key={run.id} {...address(run.id)} aria-label={`An earlier run: ${run.status}`} title={run.status}>
            <StateIcon state={run.status} />
          </Link>
        ))}
      </span>
    </span>
  );
}

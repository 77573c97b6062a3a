import { Link } from "@tanstack/react-router";
import type { AutomationVersionEntry } from "../../api/platform.ts";
import { StateChip } from "../../ui/chip.tsx";
import { SelectField } from "../../ui/field.tsx";
import { Empty, Panel } from "../../ui/panel.tsx";
import { QueryView } from "../../ui/query-view.tsx";
import { Table } from "../../ui/table.tsx";
import { Time } from "../../ui/time.tsx";
import { useVersions } from "../queries/use-automations.ts";
import { TriggerText } from "./trigger-text.tsx";
import { VersionDifferenceView } from "./version-difference-view.tsx";

/** Ids of two versions. */
interface Choice {
  from?: string;
  to?: string;
}

interface VersionsPanelProps {
  automationId: string;
  search: Choice;
  onChoice: (choice: Choice) => void;
}

/** The versions of an automation, and what differs between two of them. */
export function VersionsPanel({ automationId, search, onChoice }: VersionsPanelProps) {
  const versions = useVersions(automationId);
  return (
    <QueryView query={versions}>
      {(entries) =>
        entries.length === 0 ? (
          <section className="panel">
            <Empty title="No versions yet">
              <p>Save a draft: it is the first one.</p>
            </Empty>
          </section>
        ) : (
          <>
            <Panel title="Versions" isFlush>
              <VersionsTable entries={entries} />
            </Panel>
            {entries.length > 1 && <Comparison entries={entries} search={search} onChoice={onChoice} />}
          </>
        )
      }
    </QueryView>
  );
}

function VersionsTable({ entries }: { entries: readonly AutomationVersionEntry[] }) {
  return (
    <Table caption="Versions" columns={["Revision", "Status", "Steps", "Starts", "Features", "Published"]}>
      {entries.map((entry) => (
        <tr key={entry.version.id}>
          <td className="number">
            <Link
              to="/automations/$automationId"
              params={{ automationId: entry.version.automation_id }}
              search={{ tab: "versions", to: entry.version.id }}
              aria-label={`Compare revision ${entry.revision}`}
            >
              {entry.revision}
            </Link>
          </td>
          <td>
            <StateChip state={entry.status} />
          </td>
          <td>{entry.version.steps.map(({ name }) => name).join(", ")}</td>
          <td className="automation-trigger small">
            <TriggerText entry={entry} />
          </td>
          <td>{entry.feature_keys.join(", ") || "–"}</td>
          <td>
            <Time at={entry.published_at} />
          </td>
        </tr>
      ))}
    </Table>
  );
}

interface ComparisonProps extends Pick<VersionsPanelProps, "search" | "onChoice"> {
  entries: readonly AutomationVersionEntry[];
}

function Comparison({ entries, search, onChoice }: ComparisonProps) {
  const find = (id: string | undefined) => entries.find(({ version }) => version.id === id);
  const after = find(search.to) ?? entries[0];
  if (!after) return null;
  // The one before it, without a choice.
  const before = find(search.from) ?? entries[entries.indexOf(after) + 1] ?? after;
  const options = entries.map(({ version, revision, status }) => ({
    value: version.id,
    label: `revision ${revision}, ${status}`,
  }));
  const choice = { from: before.version.id, to: after.version.id };
  return (
    <Panel title="Difference">
      <div className="stack">
        <div className="version-choice">
          <SelectField
            label="From"
            value={choice.from}
            onChange={(from) => onChoice({ ...choice, from })}
            options={options}
          />
          <SelectField label="To" value={choice.to} onChange={(to) => onChoice({ ...choice, to })} options={options} />
        </div>
        <VersionDifferenceView before={before} after={after} />
      </div>
    </Panel>
  );
}

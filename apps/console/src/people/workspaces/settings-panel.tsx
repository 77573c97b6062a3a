import type { WorkspaceSettings } from "../../api/platform.ts";
import { useForbidden } from "../../api/session.ts";
import { Button } from "../../ui/button.tsx";
import { CheckboxField } from "../../ui/checkbox-field.tsx";
import { StateChip } from "../../ui/chip.tsx";
import { ErrorNotice } from "../../ui/error-notice.tsx";
import { Panel } from "../../ui/panel.tsx";
import { QueryView } from "../../ui/query-view.tsx";
import { Time } from "../../ui/time.tsx";
import { useChangeSettings, useStartGrouping, useWorkspaceSettings } from "./use-workspaces.ts";

/** Whether workspaces are in use, and how the last grouping went. */
export function SettingsPanel() {
  const settings = useWorkspaceSettings();
  return (
    <Panel title="Settings">
      <QueryView query={settings} rows={2}>
        {(data) => <Settings settings={data} />}
      </QueryView>
    </Panel>
  );
}

function Settings({ settings }: { settings: WorkspaceSettings }) {
  const forbidden = useForbidden("workspaces:manage");
  const change = useChangeSettings();
  const group = useStartGrouping();
  const pending = change.isPending ? "Being saved." : undefined;
  const disabled = settings.workspaces_enabled ? undefined : "Enable workspaces first.";
  const isGrouping = settings.grouping_status === "queued" || settings.grouping_status === "running";
  return (
    <div className="stack">
      <CheckboxField
        label="Workspaces are in use"
        isChecked={settings.workspaces_enabled}
        forbidden={forbidden ?? pending}
        onChange={(workspaces_enabled) => change.mutate({ workspaces_enabled })}
      />
      <CheckboxField
        label="Group new assets by themselves"
        hint="Assets that are in a workspace are never moved."
        isChecked={settings.auto_grouping_enabled}
        forbidden={forbidden ?? pending}
        onChange={(auto_grouping_enabled) => change.mutate({ auto_grouping_enabled })}
      />
      {change.error && <ErrorNotice error={change.error} />}
      <div className="row">
        <Button
          forbidden={forbidden ?? disabled ?? (isGrouping ? "A grouping is under way." : undefined)}
          isPending={group.isPending}
          onClick={() => group.mutate()}
        >
          Group assets now
        </Button>
        <LastGrouping settings={settings} />
      </div>
      {group.error && <ErrorNotice error={group.error} />}
    </div>
  );
}

function LastGrouping({ settings }: { settings: WorkspaceSettings }) {
  const { grouping_status, last_grouping_run_type, last_grouping_completed_at, last_grouping_error } = settings;
  return (
    <span className="row" role="status">
      <span className="muted">Last grouping</span>
      {last_grouping_run_type === null && grouping_status === "idle" ? (
        <span className="muted">none yet</span>
      ) : (
        <>
          <StateChip state={grouping_status} />
          {last_grouping_completed_at !== null && <Time at={last_grouping_completed_at} />}
        </>
      )}
      {last_grouping_error !== null && <span className="muted">{last_grouping_error}</span>}
    </span>
  );
}

import { Link } from "@tanstack/react-router";
import type { Workspace } from "../../api/platform.ts";
import { ListPanel } from "../../ui/list-panel.tsx";
import { Empty } from "../../ui/panel.tsx";
import { Table } from "../../ui/table.tsx";
import { Time } from "../../ui/time.tsx";
import { PeoplePage } from "../people-page.tsx";
import { SettingsPanel } from "./settings-panel.tsx";
import { useWorkspaces } from "./use-workspaces.ts";

/** Groups of assets, and whether the platform groups by itself. */
export function WorkspacesPage() {
  const workspaces = useWorkspaces();
  return (
    <PeoplePage title="Workspaces" permission="workspaces:read">
      <SettingsPanel />
      <ListPanel
        label="List of workspaces"
        list={workspaces}
        empty={
          <Empty title="No workspaces yet">
            <p>
              Enable workspaces and group your assets: pipelines and datasets that share data or words become one
              workspace.
            </p>
          </Empty>
        }
      >
        {(items) => <WorkspacesTable workspaces={items} />}
      </ListPanel>
    </PeoplePage>
  );
}

function WorkspacesTable({ workspaces }: { workspaces: readonly Workspace[] }) {
  return (
    <Table
      caption="Workspaces"
      columns={["Name", { name: "Assets", isRight: true }, "Made from", "Changed", "Created"]}
    >
      {workspaces.map(({ id, name, description, asset_count, draft_id, updated_at, created_at }) => (
        <tr key={id}>
          <td className="person">
            <Link to="/people/workspaces/$workspaceId" params={{ workspaceId: id }}>
              {name}
            </Link>
            {description !== "" && <span className="muted small-block">{description}</span>}
          </td>
          <td className="right number">{asset_count.toLocaleString("en")}</td>
          <td>{draft_id === null ? "grouping" : <>proposal {draft_id}</>}</td>
          <td>
            <Time at={updated_at} />
          </td>
          <td>
            <Time at={created_at} />
          </td>
        </tr>
      ))}
    </Table>
  );
}

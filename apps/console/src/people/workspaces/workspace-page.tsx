import "../people.css";
import { getRouteApi, Link, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import type { Workspace, WorkspaceAsset } from "../../api/platform.ts";
import { useForbidden } from "../../api/session.ts";
import { MemberName } from "../../members/member-name.tsx";
import { Allowed } from "../../shell/allowed.tsx";
import { Page } from "../../shell/page.tsx";
import { Button } from "../../ui/button.tsx";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { ListPanel } from "../../ui/list-panel.tsx";
import { Empty } from "../../ui/panel.tsx";
import { QueryView } from "../../ui/query-view.tsx";
import { JsonBox } from "../../ui/scroll-box.tsx";
import { Table } from "../../ui/table.tsx";
import { Time } from "../../ui/time.tsx";
import { useDeleteWorkspace, useWorkspace, useWorkspaceAssets } from "./use-workspaces.ts";

const route = getRouteApi("/shell/people/workspaces/$workspaceId");

/** A workspace: its assets, and why each is there. */
export function WorkspacePage() {
  const { workspaceId } = route.useParams();
  const workspace = useWorkspace(workspaceId);
  const assets = useWorkspaceAssets(workspaceId);
  return (
    <Page
      title={workspace.data?.name ?? "Workspace"}
      trail={<Link to="/people/workspaces">Workspaces</Link>}
      actions={workspace.data && <DeleteButton workspace={workspace.data} />}
    >
      <Allowed permission="workspaces:read">
        <QueryView query={workspace} rows={1}>
          {({ description }) => description !== "" && <p className="muted">{description}</p>}
        </QueryView>
        <ListPanel label="Assets" list={assets} empty={<Empty title="The workspace has no assets" />}>
          {(items) => <AssetsTable assets={items} />}
        </ListPanel>
      </Allowed>
    </Page>
  );
}

function AssetsTable({ assets }: { assets: readonly WorkspaceAsset[] }) {
  return (
    <Table
      caption="Assets of the workspace"
      columns={["Name", "Role", "Said by", { name: "Confidence", isRight: true }, "Evidence", "Accepted by", "Since"]}
    >
      {assets.map((asset) => (
        <tr key={asset.asset_id}>
          <td className="person">{asset.asset_name || <code>{asset.asset_id}</code>}</td>
          <td>{asset.role}</td>
          <td>{asset.source}</td>
          <td className="right number">{Math.round(asset.confidence * 100)} %</td>
          <td>
            <Evidence asset={asset} />
          </td>
          <td>
            {asset.accepted_by_member_id === null ? (
              <span className="muted">the platform</span>
            ) : (
              <MemberName id={asset.accepted_by_member_id} />
            )}
          </td>
          <td>
            <Time at={asset.created_at} />
          </td>
        </tr>
      ))}
    </Table>
  );
}

function Evidence({ asset: { evidence, asset_name } }: { asset: WorkspaceAsset }) {
  if (Object.keys(evidence).length === 0) return <span className="muted">none</span>;
  return (
    <details>
      <summary>show</summary>
      <JsonBox label={`Evidence for ${asset_name}`} value={evidence} />
    </details>
  );
}

function DeleteButton({ workspace }: { workspace: Workspace }) {
  const [isAsking, setIsAsking] = useState(false);
  const forbidden = useForbidden("workspaces:manage");
  const remove = useDeleteWorkspace();
  const navigate = useNavigate();
  return (
    <>
      <Button kind="danger" forbidden={forbidden} onClick={() => setIsAsking(true)}>
        Delete
      </Button>
      {isAsking && (
        <ConfirmDialog
          title={`Delete the workspace ${workspace.name}`}
          description={`Assets in it: ${workspace.asset_count}. They stay, and are in no workspace then. The next grouping may group them again.`}
          confirmLabel="Delete workspace"
          isDangerous
          isPending={remove.isPending}
          error={remove.error}
          onConfirm={() =>
            remove.mutate(workspace.id, { onSuccess: () => void navigate({ to: "/people/workspaces" }) })
          }
          onClose={() => setIsAsking(false)}
        />
      )}
    </>
  );
}

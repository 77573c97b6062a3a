import "../people.css";
import { getRouteApi, Link, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import type { Role } from "../../api/platform.ts";
import { useForbidden } from "../../api/session.ts";
import { Allowed } from "../../shell/allowed.tsx";
import { Page } from "../../shell/page.tsx";
import { Button } from "../../ui/button.tsx";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { Copyable } from "../../ui/copyable.tsx";
import { Panel } from "../../ui/panel.tsx";
import { QueryView } from "../../ui/query-view.tsx";
import { HoldersPanel } from "./holders-panel.tsx";
import { PermissionList } from "./permissions-field.tsx";
import { RoleEditor } from "./role-editor.tsx";
import { useDeleteRole, useHolders, useRole } from "./use-roles.ts";

const route = getRouteApi("/shell/people/roles/$roleId");

/** A role: what it grants and who holds it. */
export function RolePage() {
  const { roleId } = route.useParams();
  const role = useRole(roleId);
  return (
    <Page
      title={role.data?.name ?? "Role"}
      trail={<Link to="/people/roles">Roles</Link>}
      actions={role.data && <DeleteButton role={role.data} />}
    >
      <Allowed permission="roles:manage">
        <QueryView query={role}>
          {(data) => (
            <div className="page-columns">
              {data.is_system ? (
                <Panel title="What it grants">
                  <PermissionList ids={data.permission_ids} />
                </Panel>
              ) : (
                <RoleEditor key={data.id} stored={data} />
              )}
              <div className="stack">
                <FactsPanel role={data} />
                <HoldersPanel roleId={data.id} />
              </div>
            </div>
          )}
        </QueryView>
      </Allowed>
    </Page>
  );
}

/** A form for a role that does not exist yet. */
export function NewRolePage() {
  return (
    <Page title="New role" trail={<Link to="/people/roles">Roles</Link>}>
      <Allowed permission="roles:manage">
        <RoleEditor stored={undefined} />
      </Allowed>
    </Page>
  );
}

function FactsPanel({ role }: { role: Role }) {
  return (
    <Panel title="About">
      <dl className="facts">
        <dt>Slug</dt>
        <dd>
          <code>{role.slug}</code>
        </dd>
        <dt>Kind</dt>
        <dd>{role.is_system ? "of the system: it cannot be changed" : "of your organisation"}</dd>
        <dt>Id</dt>
        <dd>
          <Copyable text={role.id} />
        </dd>
      </dl>
    </Panel>
  );
}

function DeleteButton({ role }: { role: Role }) {
  const [isAsking, setIsAsking] = useState(false);
  const forbidden = useForbidden("roles:manage");
  const objection = role.is_system ? "Roles of the system cannot be deleted." : undefined;
  return (
    <>
      <Button kind="danger" forbidden={forbidden ?? objection} onClick={() => setIsAsking(true)}>
        Delete
      </Button>
      {isAsking && <DeleteRoleDialog role={role} onClose={() => setIsAsking(false)} />}
    </>
  );
}

function DeleteRoleDialog({ role, onClose }: { role: Role; onClose: () => void }) {
  const holders = useHolders(role.id);
  const remove = useDeleteRole();
  const navigate = useNavigate();
  const count = holders.data?.items.length ?? 0;
  const isHeld = count > 0 ? "Members hold the role. Take it from them first." : undefined;
  return (
    <ConfirmDialog
      title={`Delete the role ${role.name}`}
      description="A role that a member holds cannot be deleted. A deleted role does not come back."
      confirmLabel="Delete role"
      isDangerous
      forbidden={isHeld}
      isPending={remove.isPending}
      error={remove.error}
      onConfirm={() =>
        remove.mutate(role.id, { onSuccess: () => void navigate({ to: "/people/roles", ignoreBlocker: true }) })
      }
      onClose={onClose}
    >
      {holders.isSuccess && (
        <p>
          {count === 0 ? "No member holds it." : `Members who hold it: ${count}${holders.data.next ? " or more" : ""}.`}
        </p>
      )}
    </ConfirmDialog>
  );
}

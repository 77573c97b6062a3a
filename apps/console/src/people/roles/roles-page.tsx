import { Link } from "@tanstack/react-router";
import { Check, Plus } from "lucide-react";
import { Fragment } from "react";
import type { Permission, Role } from "../../api/platform.ts";
import { useForbidden } from "../../api/session.ts";
import { Button } from "../../ui/button.tsx";
import { ListPanel } from "../../ui/list-panel.tsx";
import { Empty } from "../../ui/panel.tsx";
import { QueryView } from "../../ui/query-view.tsx";
import { ScrollBox } from "../../ui/scroll-box.tsx";
import { PeoplePage } from "../people-page.tsx";
import { permissionAreas, rpcNames } from "./permission-areas.ts";
import { usePermissions, useRoles } from "./use-roles.ts";

/** What each role may do: permissions as rows, roles as columns. */
export function RolesPage() {
  const roles = useRoles();
  const permissions = usePermissions();
  return (
    <PeoplePage title="Roles" permission="roles:manage" actions={<NewRole />}>
      <p className="muted">
        A role is a set of permissions. Roles of the system are the same in every organisation. Open one of your own to
        change it.
      </p>
      <ListPanel label="Permissions of each role" list={roles} empty={<Empty title="There are no roles" />}>
        {(items) => (
          <QueryView query={permissions}>{(all) => <RoleMatrix roles={items} permissions={all} />}</QueryView>
        )}
      </ListPanel>
    </PeoplePage>
  );
}

function NewRole() {
  const forbidden = useForbidden("roles:manage");
  const content = (
    <>
      <Plus size={15} aria-hidden="true" />
      New role
    </>
  );
  if (forbidden !== undefined) return <Button forbidden={forbidden}>{content}</Button>;
  return (
    <Link className="button" data-kind="primary" to="/people/roles/new">
      {content}
    </Link>
  );
}

interface RoleMatrixProps {
  roles: readonly Role[];
  permissions: readonly Permission[];
}

function RoleMatrix({ roles, permissions }: RoleMatrixProps) {
  const areas = permissionAreas([
    ...permissions.map(({ id }) => id),
    ...roles.flatMap(({ permission_ids }) => permission_ids),
  ]);
  const opens = new Map(permissions.map(({ id, rpcs }) => [id, rpcNames(rpcs)]));
  const held = roles.map((role) => ({ role, permissions: new Set(role.permission_ids) }));
  return (
    <ScrollBox className="matrix-scroll" role="group" aria-label="Matrix of roles">
      <table className="matrix">
        <caption className="visually-hidden">Roles and their permissions</caption>
        <thead>
          <tr>
            <th scope="col">Permission</th>
            {roles.map(({ id, name, is_system }) => (
              <th key={id} scope="col">
                <Link to="/people/roles/$roleId" params={{ roleId: id }}>
                  {name}
                </Link>
                <span className="muted small-block">{is_system ? "system" : "own"}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {areas.map(({ area, permissions: ids }) => (
            <Fragment key={area}>
              <tr className="matrix-area">
                <th scope="rowgroup">{area}</th>
                <td colSpan={roles.length} />
              </tr>
              {ids.map((id) => (
                <tr key={id}>
                  <th scope="row" title={opens.get(id)}>
                    <code>{id}</code>
                  </th>
                  {held.map(({ role, permissions: own }) => (
                    <Cell key={role.id} isHeld={own.has(id)} />
                  ))}
                </tr>
              ))}
            </Fragment>
          ))}
        </tbody>
      </table>
    </ScrollBox>
  );
}

function Cell({ isHeld }: { isHeld: boolean }) {
  return (
    <td className={isHeld ? "matrix-held" : undefined}>
      {isHeld ? <Check size={15} role="img" aria-label="yes" /> : <span className="visually-hidden">no</span>}
    </td>
  );
}

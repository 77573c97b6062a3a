import { Link } from "@tanstack/react-router";
import { shortId } from "../../ui/short-id.ts";
import { useAllRoles } from "./use-roles.ts";

/** Roles by name; by id where the caller may not read roles. */
export function RoleNames({ ids }: { ids: readonly string[] }) {
  const { data: roles } = useAllRoles();
  if (ids.length === 0) return <span className="muted">none</span>;
  return (
    <span className="row">
      {ids.map((id) => {
        const role = roles?.find((each) => each.id === id);
        return role ? (
          <Link key={id} className="tag" to="/people/roles/$roleId" params={{ roleId: id }}>
            {role.name}
          </Link>
        ) : (
          <span key={id} className="tag" title={id}>
            {shortId(id)}
          </span>
        );
      })}
    </span>
  );
}

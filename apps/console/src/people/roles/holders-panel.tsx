import { Link } from "@tanstack/react-router";
import { Allowed } from "../../shell/allowed.tsx";
import { StateChip } from "../../ui/chip.tsx";
import { Empty, Panel } from "../../ui/panel.tsx";
import { QueryView } from "../../ui/query-view.tsx";
import { useHolders } from "./use-roles.ts";

/** Some of the members who hold a role. */
export function HoldersPanel({ roleId }: { roleId: string }) {
  const holders = useHolders(roleId);
  return (
    <Panel
      title="Members with this role"
      isFlush
      actions={
        <Link to="/people/members" search={{ filter: `role_ids:${roleId}` }}>
          All of them
        </Link>
      }
    >
      <Allowed permission="members:manage">
        <QueryView query={holders} rows={2}>
          {({ items }) =>
            items.length === 0 ? (
              <Empty title="No member holds it" />
            ) : (
              <ul className="line-list">
                {items.map(({ id, display_name, status }) => (
                  <li key={id}>
                    <span className="grow">
                      <Link to="/people/members/$memberId" params={{ memberId: id }}>
                        {display_name}
                      </Link>
                    </span>
                    <StateChip state={status} />
                  </li>
                ))}
              </ul>
            )
          }
        </QueryView>
      </Allowed>
    </Panel>
  );
}

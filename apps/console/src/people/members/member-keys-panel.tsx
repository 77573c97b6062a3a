import { Link } from "@tanstack/react-router";
import { Allowed } from "../../shell/allowed.tsx";
import { StateChip } from "../../ui/chip.tsx";
import { Empty, Panel } from "../../ui/panel.tsx";
import { QueryView } from "../../ui/query-view.tsx";
import { Table } from "../../ui/table.tsx";
import { Time } from "../../ui/time.tsx";
import { keyState } from "../keys/key-state.ts";
import { useKeysOfMember } from "../keys/use-keys.ts";

/** The newest keys that a member made. */
export function MemberKeysPanel({ memberId }: { memberId: string }) {
  const keys = useKeysOfMember(memberId);
  return (
    <Panel
      title="API keys that they made"
      isFlush
      actions={
        <Link to="/people/keys" search={{ filter: `created_by_member_id = ${memberId}` }}>
          All of them
        </Link>
      }
    >
      <Allowed permission="apikeys:manage">
        <QueryView query={keys} rows={2}>
          {({ items }) =>
            items.length === 0 ? (
              <Empty title="They have made no keys" />
            ) : (
              <Table caption="API keys that they made" columns={["Name", "State", "Last used"]}>
                {items.map((key) => (
                  <tr key={key.id}>
                    <td>
                      {key.name} <code className="muted">…{key.last_four}</code>
                    </td>
                    <td>
                      <StateChip state={keyState(key, Date.now())} />
                    </td>
                    <td>
                      {key.last_used_at === null ? (
                        <span className="muted">never</span>
                      ) : (
                        <Time at={key.last_used_at} />
                      )}
                    </td>
                  </tr>
                ))}
              </Table>
            )
          }
        </QueryView>
      </Allowed>
    </Panel>
  );
}

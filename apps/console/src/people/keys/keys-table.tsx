import type { ApiKey } from "../../api/platform.ts";
import { useForbidden } from "../../api/session.ts";
import { MemberName } from "../../members/member-name.tsx";
import { Button } from "../../ui/button.tsx";
import { StateChip } from "../../ui/chip.tsx";
import { Table } from "../../ui/table.tsx";
import { Time, useNow } from "../../ui/time.tsx";
import { Tip } from "../../ui/tip.tsx";
import { type KeyState, keyState, rotateObjection } from "./key-state.ts";

/** What is asked about a key. */
export type AskedOfKey = { kind: "rotate" | "revoke"; key: ApiKey };

interface KeysTableProps {
  keys: readonly ApiKey[];
  onAsk: (asked: AskedOfKey) => void;
}

/** Keys as a table, each with what can be done with it. */
export function KeysTable({ keys, onAsk }: KeysTableProps) {
  const now = useNow();
  return (
    <Table
      caption="API keys"
      columns={[
        "Name",
        "State",
        "Permissions",
        "Made by",
        "Last used",
        "Ends",
        "Created",
        { name: "Actions", isHidden: true },
      ]}
    >
      {keys.map((key) => (
        <KeyRow key={key.id} apiKey={key} state={keyState(key, now)} onAsk={(kind) => onAsk({ kind, key })} />
      ))}
    </Table>
  );
}

interface KeyRowProps {
  apiKey: ApiKey;
  state: KeyState;
  onAsk: (kind: AskedOfKey["kind"]) => void;
}

function KeyRow({ apiKey, state, onAsk }: KeyRowProps) {
  const forbidden = useForbidden("apikeys:manage");
  const { name, prefix, last_four, permission_ids, created_by_member_id, last_used_at, expires_at, created_at } =
    apiKey;
  return (
    <tr>
      <td className="person">
        {name}
        <code className="muted small-block">{`${prefix}…${last_four}`}</code>
      </td>
      <td>
        <StateChip state={state} />
      </td>
      <td>
        <Tip text={permission_ids.join(", ")}>
          <button type="button" className="plain nowrap">
            {permission_ids.length}
          </button>
        </Tip>
      </td>
      <td>
        {created_by_member_id === null ? <span className="muted">–</span> : <MemberName id={created_by_member_id} />}
      </td>
      <td>{last_used_at === null ? <span className="muted">never</span> : <Time at={last_used_at} />}</td>
      <td>{expires_at === null ? <span className="muted">never</span> : <Time at={expires_at} />}</td>
      <td>
        <Time at={created_at} />
      </td>
      <td className="right">
        <span className="row-actions">
          <Button size="small" forbidden={forbidden ?? rotateObjection(state)} onClick={() => onAsk("rotate")}>
            Rotate
          </Button>
          <Button
            size="small"
            forbidden={forbidden ?? (state === "revoked" ? "It is revoked already." : undefined)}
            onClick={() => onAsk("revoke")}
          >
            Revoke
          </Button>
        </span>
      </td>
    </tr>
  );
}

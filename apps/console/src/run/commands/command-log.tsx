import type { Command } from "../../api/platform.ts";
import { StateChip } from "../../ui/chip.tsx";
import { Empty } from "../../ui/panel.tsx";
import { Table } from "../../ui/table.tsx";
import { Time, useNow } from "../../ui/time.tsx";
import { durationText } from "../../ui/time-text.ts";
import { commandLabel } from "./command-rules.ts";

/** After so long a command that is pending gets an explanation, ms. */
const longMs = 30_000;

/** Every command of the job with its outcome, the newest first. */
export function CommandLog({ commands, heartbeatAt }: { commands: readonly Command[]; heartbeatAt: string | null }) {
  if (commands.length === 0)
    return (
      <Empty title="No commands yet">
        <p>Each command appears here with its outcome.</p>
      </Empty>
    );
  return (
    <Table caption="Commands of this job" columns={["#", "Command", "Outcome", "Settings", "Sent", "Took"]}>
      {commands.map((command) => (
        <CommandRow key={command.id} command={command} heartbeatAt={heartbeatAt} />
      ))}
    </Table>
  );
}

function CommandRow({ command, heartbeatAt }: { command: Command; heartbeatAt: string | null }) {
  const { sequence, action, status, detail, runtime_overrides, created_at, applied_at } = command;
  const settings = Object.entries(runtime_overrides);
  return (
    <tr>
      <td className="number">{sequence}</td>
      <td className="nowrap">{commandLabel(action)}</td>
      <td>
        <StateChip state={status} />
        {detail && <div className="muted small">{detail}</div>}
        {status === "pending" && <Waiting since={created_at} heartbeatAt={heartbeatAt} />}
      </td>
      <td>
        {settings.map(([key, value]) => (
          <code key={key} className="tag">
            {key}={String(value)}
          </code>
        ))}
      </td>
      <td>
        <Time at={created_at} />
      </td>
      <td className="number nowrap">{applied_at ? tookText(created_at, applied_at) : "–"}</td>
    </tr>
  );
}

/** Says why a command is pending for long. */
function Waiting({ since, heartbeatAt }: { since: string; heartbeatAt: string | null }) {
  const now = useNow();
  if (now - Date.parse(since) < longMs) return null;
  const text = heartbeatAt
    ? `The trainer was last seen ${durationText((now - Date.parse(heartbeatAt)) / 1000)} ago.`
    : "No trainer has attached yet.";
  return <div className="muted small">{text}</div>;
}

function tookText(from: string, to: string): string {
  const ms = Date.parse(to) - Date.parse(from);
  return ms < 10_000 ? `${Math.max(0, ms)} ms` : durationText(ms / 1000);
}

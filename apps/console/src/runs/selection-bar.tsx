import { Link } from "@tanstack/react-router";
import { useState } from "react";
import type { CommandAction, Run } from "../api/platform.ts";
import { useForbidden } from "../api/session.ts";
import { Button } from "../ui/button.tsx";
import { BulkCommandDialog } from "./bulk-command-dialog.tsx";
import { maxCompared } from "./sparkline-batches.ts";

const actions = [
  { action: "pause", label: "Pause" },
  { action: "resume", label: "Resume" },
  { action: "abort", label: "Abort" },
] as const;

interface SelectionBarProps {
  runs: readonly Run[];
  selected: ReadonlySet<string>;
  onClear: () => void;
}

/** What can be done with the selected runs. */
export function SelectionBar({ runs, selected, onClear }: SelectionBarProps) {
  const forbidden = useForbidden("training:command");
  const [action, setAction] = useState<CommandAction>();
  // A run that the filter hides gets no command: people act on what they see.
  const chosen = runs.filter(({ id }) => selected.has(id));
  if (chosen.length === 0) return null;
  const isTooMany = chosen.length > maxCompared;
  return (
    <div className="selection-bar" role="toolbar" aria-label="Selected runs">
      <strong>{chosen.length} selected</strong>
      {isTooMany ? (
        <Button forbidden={`A comparison shows ${maxCompared} runs at most.`}>Compare</Button>
      ) : (
        <Link className="button" to="/compare" search={{ runs: chosen.map(({ id }) => id).join(",") }}>
          Compare
        </Link>
      )}
      {actions.map((each) => (
        <Button key={each.action} forbidden={forbidden} onClick={() => setAction(each.action)}>
          {each.label}
        </Button>
      ))}
      <Button kind="quiet" onClick={onClear}>
        Clear
      </Button>
      {action && <BulkCommandDialog action={action} runs={chosen} onClose={() => setAction(undefined)} />}
    </div>
  );
}

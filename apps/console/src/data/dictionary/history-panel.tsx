import { Link } from "@tanstack/react-router";
import type { DictionaryChange } from "../../api/platform.ts";
import { Button } from "../../ui/button.tsx";
import { ListPanel } from "../../ui/list-panel.tsx";
import { Empty } from "../../ui/panel.tsx";
import { Table } from "../../ui/table.tsx";
import { TextDifference } from "../../ui/text-difference.tsx";
import { Time } from "../../ui/time.tsx";
import { Author } from "./author.tsx";
import { useDictionaryHistory } from "./use-dictionary.ts";

interface HistoryPanelProps {
  datasetId: string;
  /** The entry whose changes are shown; undefined: all. */
  entry: string | undefined;
  onEntry: (entry: string) => void;
}

/** What was changed in a dictionary, by whom and when. */
export function HistoryPanel({ datasetId, entry, onEntry }: HistoryPanelProps) {
  const history = useDictionaryHistory(datasetId, entry);
  return (
    <>
      {entry !== undefined && (
        <p className="row">
          <span>
            Changes of <code>{entry}</code>
          </span>
          <Button size="small" onClick={() => onEntry("")}>
            Show all entries
          </Button>
        </p>
      )}
      <ListPanel label="Changes of the dictionary" list={history} empty={<NoChanges />}>
        {(changes) => <HistoryTable datasetId={datasetId} changes={changes} />}
      </ListPanel>
    </>
  );
}

function NoChanges() {
  return (
    <Empty title="No changes yet">
      <p>A change is listed some moments after it was made.</p>
    </Empty>
  );
}

function HistoryTable({ datasetId, changes }: { datasetId: string; changes: readonly DictionaryChange[] }) {
  return (
    <div className="dictionary">
      <Table caption="Changes of the dictionary" columns={["Entry", "Change", "By", "When"]}>
        {changes.map((change) => (
          <tr key={change.id}>
            <td className="dictionary-name">
              <Link
                to="/data/$datasetId"
                params={{ datasetId }}
                search={{ tab: "history", entry: change.name }}
                title={`Changes of ${change.name}`}
              >
                <code>{change.name}</code>
              </Link>
            </td>
            <td className="dictionary-text">
              <Change change={change} />
            </td>
            <td className="dictionary-author">
              <Author change={change} />
            </td>
            <td>
              <Time at={change.changed_at} />
            </td>
          </tr>
        ))}
      </Table>
    </div>
  );
}

function Change({ change: { previous_description: before, description: after } }: { change: DictionaryChange }) {
  if (after === null)
    return (
      <>
        <span className="muted small-block">removed</span>
        {before && <TextDifference before={before} after="" by="words" />}
      </>
    );
  if (after === "") return <span className="muted">{before ? "text cleared" : "entry without a text"}</span>;
  return (
    <>
      {before === null && <span className="muted small-block">new entry</span>}
      <TextDifference before={before ?? ""} after={after} by="words" />
    </>
  );
}
